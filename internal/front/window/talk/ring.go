package talk

// ring bounds how many parts stay drawn.
type ring struct {
	list []part
	next int
}

type part struct {
	of *base
	i  int
}

// keep is how many parts stay drawn: several screens.
const keep = 2000

func (r *ring) add(b *base, i int) {
	if len(r.list) < keep {
		r.list = append(r.list, part{b, i})
		return
	}
	if old := r.list[r.next]; old != (part{b, i}) {
		old.of.cache[old.i] = drawn{}
	}
	r.list[r.next] = part{b, i}
	r.next = (r.next + 1) % keep
}
