package consent

import "strings"

// Choice is one of the four answers as front ends offer it.
type Choice struct {
	Answer Answer
	Key    byte   // the letter that chooses it
	ID     string // ACP option id and kind (ACP v1, PermissionOptionKind)
	Label  string
}

// Choices are the four answers in the order in which they are shown.
func Choices() []Choice {
	return []Choice{
		{AllowOnce, 'a', "allow_once", "Allow once"},
		{AllowSession, 's', "allow_always", "Allow for this session"},
		{RejectOnce, 'r', "reject_once", "Reject"},
		{RejectSession, 'n', "reject_always", "Never in this session"},
	}
}

// words are the answers that a person may type (supplement 5), English and French.
var words = map[string]Answer{
	"a": AllowOnce, "allow": AllowOnce, "allow once": AllowOnce, "y": AllowOnce, "yes": AllowOnce, "o": AllowOnce, "oui": AllowOnce,
	"s": AllowSession, "session": AllowSession, "allow for the session": AllowSession, "always": AllowSession,
	"r": RejectOnce, "reject": RejectOnce, "no": RejectOnce, "non": RejectOnce, "deny": RejectOnce,
	"n": RejectSession, "never": RejectSession, "never in this session": RejectSession, "jamais": RejectSession,
}

// ParseAnswer reads an answer typed as a letter or a word, in English or French. "non" and "no"
// reject once; "n" is the letter of "never".
func ParseAnswer(s string) (Answer, bool) {
	a, ok := words[strings.ToLower(strings.TrimSpace(s))]
	return a, ok
}
