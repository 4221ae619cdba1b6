package acp

// Plan is the whole plan each time.
type Plan struct {
	Entries List[PlanEntry] `json:"entries" acp:"lenient"`
	Meta    Meta            `json:"_meta,omitempty"`
}

// PlanEntry is a step: Priority high, medium or low; Status pending, in_progress or completed.
type PlanEntry struct {
	Content  string `json:"content" acp:"required"`
	Priority string `json:"priority" acp:"required"`
	Status   string `json:"status" acp:"required"`
	Meta     Meta   `json:"_meta,omitempty"`
}

// PlanUpdate [S+] is one of several plans.
type PlanUpdate struct {
	Plan PlanContent `json:"plan" acp:"required"`
	Meta Meta        `json:"_meta,omitempty"`
}

// PlanContent is a plan of Type items (Entries), file (URI) or markdown (Content).
type PlanContent struct {
	Type    string          `json:"type" acp:"required"`
	PlanID  string          `json:"planId" acp:"required"`
	Entries List[PlanEntry] `json:"entries,omitzero"`
	URI     string          `json:"uri,omitempty" acp:"strict"`
	Content string          `json:"content,omitempty" acp:"strict"`
	Meta    Meta            `json:"_meta,omitempty"`
}

// PlanRemoved [S+] says that a plan is gone.
type PlanRemoved struct {
	PlanID string `json:"planId" acp:"required"`
	Meta   Meta   `json:"_meta,omitempty"`
}

// AvailableCommands is the whole list of slash commands.
type AvailableCommands struct {
	Commands List[AvailableCommand] `json:"availableCommands" acp:"lenient"`
	Meta     Meta                   `json:"_meta,omitempty"`
}

// AvailableCommand is a slash command. Its name has no slash.
type AvailableCommand struct {
	Name        string        `json:"name" acp:"required"`
	Description string        `json:"description" acp:"required"`
	Input       *CommandInput `json:"input,omitempty"`
	Meta        Meta          `json:"_meta,omitempty"`
}

// CommandInput says what to type after a command's name.
type CommandInput struct {
	Hint string `json:"hint" acp:"required"`
	Meta Meta   `json:"_meta,omitempty"`
}

// CurrentMode says which mode a session is in now.
type CurrentMode struct {
	CurrentModeID string `json:"currentModeId" acp:"required"`
	Meta          Meta   `json:"_meta,omitempty"`
}

// ConfigOptions is the whole list of a session's options after a change.
type ConfigOptions struct {
	ConfigOptions List[ConfigOption] `json:"configOptions" acp:"lenient"`
	Meta          Meta               `json:"_meta,omitempty"`
}

// SessionInfoUpdate changes what is shown of a session in lists.
type SessionInfoUpdate struct {
	Title     Patch[string] `json:"title,omitzero"`
	UpdatedAt Patch[string] `json:"updatedAt,omitzero"`
	Meta      Meta          `json:"_meta,omitempty"`
}

// Usage tells how many tokens of the context window (Size) are in use.
type Usage struct {
	Used uint64 `json:"used" acp:"required"`
	Size uint64 `json:"size" acp:"required"`
	Cost *Cost  `json:"cost,omitempty"`
	Meta Meta   `json:"_meta,omitempty"`
}

// Cost is an amount of money. Currency is a code of ISO 4217.
type Cost struct {
	Amount   float64 `json:"amount" acp:"required"`
	Currency string  `json:"currency" acp:"required"`
	Meta     Meta    `json:"_meta,omitempty"`
}

// Notice is a line for the user that is no part of the conversation. Severity is info, warning or
// error; Title isn't empty.
type Notice struct {
	Severity    string `json:"severity" acp:"required"`
	Title       string `json:"title" acp:"required"`
	Description string `json:"description,omitempty"`
	Meta        Meta   `json:"_meta,omitempty"`
}

// Compaction tells how the compaction of a history goes. Status is in_progress, completed, failed
// or cancelled.
type Compaction struct {
	CompactionID string         `json:"compactionId" acp:"required"`
	Status       string         `json:"status" acp:"required"`
	Summary      []ContentBlock `json:"summary,omitempty"`
	Error        string         `json:"error,omitempty"`
	Meta         Meta           `json:"_meta,omitempty"`
}

// CompactionSummaryChunk is a piece of the summary that a compaction writes.
type CompactionSummaryChunk struct {
	CompactionID string       `json:"compactionId" acp:"required"`
	Content      ContentBlock `json:"content" acp:"required"`
	Meta         Meta         `json:"_meta,omitempty"`
}

// UpdateKind returns the kind of update that carries this.
func (c Chunk) UpdateKind() string { return c.Kind }

// UpdateKind returns the kind of update that carries this.
func (ToolCall) UpdateKind() string { return UpdateToolCall }

// UpdateKind returns the kind of update that carries this.
func (ToolCallUpdate) UpdateKind() string { return UpdateToolCallUpdate }

// UpdateKind returns the kind of update that carries this.
func (Plan) UpdateKind() string { return UpdatePlan }

// UpdateKind returns the kind of update that carries this.
func (PlanUpdate) UpdateKind() string { return UpdatePlanUpdate }

// UpdateKind returns the kind of update that carries this.
func (PlanRemoved) UpdateKind() string { return UpdatePlanRemoved }

// UpdateKind returns the kind of update that carries this.
func (AvailableCommands) UpdateKind() string { return UpdateAvailableCommands }

// UpdateKind returns the kind of update that carries this.
func (CurrentMode) UpdateKind() string { return UpdateCurrentMode }

// UpdateKind returns the kind of update that carries this.
func (ConfigOptions) UpdateKind() string { return UpdateConfigOption }

// UpdateKind returns the kind of update that carries this.
func (SessionInfoUpdate) UpdateKind() string { return UpdateSessionInfo }

// UpdateKind returns the kind of update that carries this.
func (Usage) UpdateKind() string { return UpdateUsage }

// UpdateKind returns the kind of update that carries this.
func (Notice) UpdateKind() string { return UpdateNotice }

// UpdateKind returns the kind of update that carries this.
func (Compaction) UpdateKind() string { return UpdateCompaction }

// UpdateKind returns the kind of update that carries this.
func (CompactionSummaryChunk) UpdateKind() string { return UpdateCompactionSummaryChunk }
