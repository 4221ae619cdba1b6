// A client made of the protocol's own TypeScript SDK. It starts the agent of its command line, does
// what an editor does, and prints a JSON line for each thing that it saw. What it sees is judged by
// the Go test; only the frames are judged here, since the SDK has the schemas:
//
//   node client.mjs ENTRY FOLDER AGENT [ARGS…]
//
// ENTRY is the SDK's: "stable", or "unstable", which knows sub-agent sessions.
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";

const [entry, folder, command, ...args] = process.argv.slice(2);
const sdk = `@agentclientprotocol/sdk${entry === "unstable" ? "/unstable" : ""}`;
const acp = await import(sdk);
const schemas = await import(new URL(entry === "unstable" ? "schema/zod.gen.js" : "../schema/zod.gen.js", import.meta.resolve(sdk)));
const { agent: to, client: from } = acp.methods;

const say = (what, more = {}) => console.log(JSON.stringify({ what, ...more }));

const params = {
  [from.session.update]: "zSessionNotification",
  [from.session.requestPermission]: "zRequestPermissionRequest",
  [from.elicitation.create]: "zCreateElicitationRequest",
};
const results = {
  [to.initialize]: "zInitializeResponse",
  [to.session.new]: "zNewSessionResponse",
  [to.session.load]: "zLoadSessionResponse",
  [to.session.resume]: "zResumeSessionResponse",
  [to.session.list]: "zListSessionsResponse",
  [to.session.delete]: "zDeleteSessionResponse",
  [to.session.close]: "zCloseSessionResponse",
  [to.session.prompt]: "zPromptResponse",
  [to.session.setMode]: "zSetSessionModeResponse",
  [to.session.setConfigOption]: "zSetSessionConfigOptionResponse",
};

// The SDK's schemas forgive: a bad field becomes its default, an unknown one is dropped. So a frame
// is right when all that was sent is still there once it was parsed.
const kept = (sent, parsed) => sent !== null && typeof sent === "object" && parsed !== null && typeof parsed === "object"
  ? Object.keys(sent).every((key) => kept(sent[key], parsed[key]))
  : sent === parsed;
let frames = 0;
function check(name, value, frame) {
  frames++;
  const r = schemas[name].safeParse(value);
  if (!r.success) say("bad frame", { schema: name, frame, problem: r.error.message });
  else if (!kept(value, r.data)) say("bad frame", { schema: name, frame, problem: "parsing changes it", parsed: r.data });
}

// tapped is the stream to an agent with every frame of the agent checked.
function tapped(stream) {
  const sent = new Map();
  const out = new TransformStream({
    transform(m, c) {
      if (m.method && m.id !== undefined) sent.set(m.id, m.method);
      c.enqueue(m);
    },
  });
  out.readable.pipeTo(stream.writable).catch(() => {});
  const readable = stream.readable.pipeThrough(new TransformStream({
    transform(m, c) {
      if (m.method) {
        if (params[m.method]) check(params[m.method], m.params, m);
        else say("bad frame", { frame: m, problem: "a method that wasn't offered" });
      } else if (m.result !== undefined) check(results[sent.get(m.id)], m.result, m);
      c.enqueue(m);
    },
  }));
  return { readable, writable: out.writable };
}

// Where an update must be waited for, seen has who waits.
const seen = [];
const until = (f) => new Promise((done) => seen.push({ f, done }));

function connect() {
  const child = spawn(command, args, { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((done) => child.on("exit", (code, signal) => done({ code, signal })));
  const conn = acp
    .client({ name: "interop" })
    .onNotification(from.session.update, ({ params: { sessionId, update } }) => {
      say("update", { sessionId, ...update });
      for (const w of [...seen]) if (w.f(update)) seen.splice(seen.indexOf(w), 1), w.done(update);
    })
    .onRequest(from.session.requestPermission, ({ params: p }) => {
      say("asked", { sessionId: p.sessionId, title: p.toolCall.title, kinds: p.options.map((o) => o.kind), key: p._meta?.mm?.key });
      return { outcome: { outcome: "selected", optionId: p.options.find((o) => o.kind === "allow_once").optionId } };
    })
    .onRequest(from.elicitation.create, ({ params: p }) => {
      say("elicited", { mode: p.mode, message: p.message, properties: p.requestedSchema.properties });
      const content = {};
      for (const [key, s] of Object.entries(p.requestedSchema.properties)) content[key] = s.type === "boolean" ? false : "b";
      return { action: "accept", content };
    })
    .connect(tapped(acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout))));
  const call = async (method, p) => {
    try {
      const result = await conn.agent.request(method, p);
      say("answer", { method, result });
      return result;
    } catch (e) {
      say("error", { method, code: e.code, message: e.message });
    }
  };
  const end = async () => {
    child.stdin.end();
    say("exit", await ended);
    conn.close();
  };
  return { call, end, notify: (m, p) => conn.agent.notify(m, p) };
}

const text = (t) => [{ type: "text", text: t }];
const place = { cwd: folder, mcpServers: [] };
const clientCapabilities = { elicitation: { form: {} }, ...(entry === "unstable" ? { subagents: {} } : {}) };
const hello = { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities, clientInfo: { name: "interop", version: "1" } };

let c = connect();
await c.call(to.initialize, hello);
const { sessionId } = await c.call(to.session.new, place);
const prompt = (t) => c.call(to.session.prompt, { sessionId, prompt: text(t) });

say("step", { name: "delegation" });
await prompt("let jan edit");

say("step", { name: "modes" });
let pushed = until((u) => u.sessionUpdate === "config_option_update");
await c.call(to.session.setMode, { sessionId, modeId: "yolo" });
await pushed;
pushed = until((u) => u.sessionUpdate === "current_mode_update");
await c.call(to.session.setConfigOption, { sessionId, configId: "mode", value: "ask" });
await pushed;
await c.call(to.session.setMode, { sessionId, modeId: "no such mode" });

say("step", { name: "question" });
await prompt("question");

say("step", { name: "cancel" });
const begun = until((u) => u.sessionUpdate === "agent_message_chunk" && u.content.text === "begun");
const hanging = prompt("hang");
await begun;
await c.notify(to.session.cancel, { sessionId });
await hanging;

say("step", { name: "list" });
await c.call(to.session.list, { cwd: folder });

say("step", { name: "close" });
await c.call(to.session.close, { sessionId });
await prompt("into the closed session");
await c.call("_interop/unknown", {});
await c.end();

say("step", { name: "load" });
c = connect();
await c.call(to.initialize, hello);
await c.call(to.session.load, { sessionId, ...place });
await prompt("still there?");
await c.call(to.session.close, { sessionId });

say("step", { name: "resume" });
await c.call(to.session.resume, { sessionId, ...place });
await prompt("still there?");

say("step", { name: "delete" });
await c.call(to.session.delete, { sessionId });
await c.call(to.session.list, { cwd: folder });
await c.end();
say("end", { frames });
