package acp

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/sourcegraph/jsonrpc2"
)

// wire is the jsonrpc2.ObjectStream of a connection: the one place for what jsonrpc2 can't do.
//
// jsonrpc2 decodes a message three times, into maps, which changes numbers and the order of keys;
// it mangles ids that aren't whole numbers from 0 or strings, and takes a null id for a
// notification; one line that isn't JSON ends its connection. So it gets to see only envelopes of
// our own, with an id of our own, and its OnRecv and OnSend hooks, which run just after a read
// and just before a write, put the real payload in (received, sending). Notifications, which need
// nothing of it, go straight to the handler from here: this is its reading goroutine.
type wire struct {
	c     *Conn
	lines *lineReader
	ready chan struct{} // closed when the Conn is complete

	in  message            // the answer that ReadObject returned last; the reading goroutine's
	req *jsonrpc2.Request  // what is being written, or
	res *jsonrpc2.Response // guarded by jsonrpc2's lock for sending
}

// paramsField is the extra field of a jsonrpc2.Request that carries our own payload past
// jsonrpc2's encoding.
const paramsField = "mm"

// outgoing is the payload of a call.
type outgoing struct {
	params []byte
	cost   int64
	id     uint64 // filled in when it is sent
}

// ReadObject reads the next request or response into v, jsonrpc2's own message type.
func (w *wire) ReadObject(v any) error {
	<-w.ready
	for {
		line, long, err := w.lines.next()
		if err != nil {
			w.c.readEnded(err)
			return err
		}
		if envelope := w.take(line, long); envelope != nil {
			return decode(envelope, v)
		}
	}
}

// take handles one line; for a request or response it returns the envelope for jsonrpc2.
func (w *wire) take(line []byte, long bool) []byte {
	line = bytes.TrimPrefix(toUTF8(line), []byte("\uFEFF"))
	msg := w.parse(line, long)
	switch msg.kind {
	case notification:
		w.c.notified(msg)
	case request:
		if id, ok := w.c.register(msg); ok {
			return append(strconv.AppendUint([]byte(`{"method":"-","id":`), id, 10), '}')
		}
	case response:
		return w.answered(line, msg)
	case invalid:
		w.refuse(line, msg)
	}
	return nil
}

func (w *wire) parse(line []byte, long bool) message {
	if long {
		return parseHead(line, w.lines.max)
	}
	msg := parse(line)
	if w.c.o.Side == Client && msg.kind == invalid && msg.fault.Code == CodeParse {
		if found, before := salvage(line); found.kind != invalid {
			w.c.noise(before)
			return found
		}
	}
	return msg
}

// answered hands on the answer to a call of ours. JavaScript drops a result that is undefined, so
// an id alone is an answer when it is awaited, and a request without a method otherwise.
func (w *wire) answered(line []byte, msg message) []byte {
	id, ok := ownID(msg.id)
	if ok && w.c.awaits(id) {
		w.in = msg
		return append(strconv.AppendUint([]byte(`{"result":0,"id":`), id, 10), '}')
	}
	if msg.fault == nil && (msg.result != nil || msg.err != nil) {
		w.c.log("ignoring an answer to " + clip(msg.id) + ", which nobody waits for: " + clip(line))
		return nil
	}
	if msg.fault == nil {
		msg.fault = InvalidRequest("method is missing")
	}
	w.refuse(line, msg)
	return nil
}

// refuse deals with a line that is no message. An agent answers it. What a child prints beside its
// messages is noise, and answering it would only confuse; but a request that was too long gets its
// answer, or the child would wait for ever.
func (w *wire) refuse(line []byte, msg message) {
	if w.c.o.Side == Client {
		w.c.noise(line)
		if msg.id == nil || msg.method == "" {
			return
		}
	} else {
		w.c.log("refusing a message: " + msg.fault.Message + ": " + clip(line))
	}
	w.c.answer(msg.id, msg.fault)
}

// WriteObject queues the message that OnSend saw just before, in the same call of jsonrpc2.
func (w *wire) WriteObject(any) error {
	var f *frame
	switch {
	case w.req != nil:
		f = w.callFrame(w.req)
	case w.res != nil:
		f = w.c.replyFrame(w.res)
	}
	w.req, w.res = nil, nil
	if f == nil {
		return errors.New("a message that this connection did not make")
	}
	return w.c.out.push(f)
}

func (w *wire) callFrame(r *jsonrpc2.Request) *frame {
	for _, extra := range r.ExtraFields {
		out, ok := extra.Value.(*outgoing)
		if !ok {
			continue
		}
		out.id = r.ID.Num
		w.c.await(out.id)
		r.ExtraFields = nil // jsonrpc2 keeps the request until it is answered
		data := strconv.AppendUint([]byte(`{"jsonrpc":"2.0","id":`), out.id, 10)
		return &frame{data: finish(data, r.Method, out.params), cost: out.cost, room: w.c.out.room}
	}
	return nil
}

// finish appends method and params to the beginning of a request or notification.
func finish(data []byte, method string, params []byte) []byte {
	data = appendString(append(data, `,"method":`...), method)
	if len(params) > 0 {
		data = append(append(data, `,"params":`...), params...)
	}
	return line(append(data, '}'))
}

// sending is jsonrpc2's OnSend.
func (w *wire) sending(req *jsonrpc2.Request, res *jsonrpc2.Response) { w.req, w.res = req, res }

// received is jsonrpc2's OnRecv. It comes before the caller of a call is woken.
func (w *wire) received(_ *jsonrpc2.Request, res *jsonrpc2.Response) {
	if res == nil {
		return
	}
	if w.in.err != nil {
		res.Result, res.Error = nil, parseError(w.in.err)
		return
	}
	result := w.in.result
	if result == nil {
		result = json.RawMessage("null")
	}
	res.Result = &result
}

// Close ends the connection below jsonrpc2.
func (w *wire) Close() error { return w.c.end() }

var _ jsonrpc2.ObjectStream = (*wire)(nil)
