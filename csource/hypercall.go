package csource

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"klabel/label"
)

// maxMembers bounds the members of a sequence: what is under way is a bit each.
const maxMembers = 32

// fillSequence reads the arguments of
//
//	pc_label_sequence(PREDICATE, SEQUENCE, MEMBER, LENGTH, "NAME", 0)
//	pc_label_sequence_condition(PREDICATE, "NAME")
func (u *Unit) fillSequence(c *LabelCall, args []cc.ExpressionNode) error {
	want := 5
	if c.Kind == Condition {
		want = 2
	}
	if len(args) < want {
		return fmt.Errorf("%s needs %d arguments", c.Macro, want)
	}
	c.PredExpr = args[0]
	var ok bool
	if c.Pred, ok = u.Span(args[0]); !ok {
		return fmt.Errorf("the predicate of this %s has no place in the text", c.Macro)
	}
	c.Predicate = NormalizeSpace(u.Text[c.Pred.Start:c.Pred.End])
	if u.Effect(args[0]) == HasEffect {
		return fmt.Errorf("the predicate of this %s has a side effect: %s", c.Macro, c.Predicate)
	}
	if c.Name, ok = text(args[want-1]); !ok {
		return fmt.Errorf("the name in this %s is no string", c.Macro)
	}
	if c.Kind == Condition {
		return nil
	}
	var err error
	if c.ID, err = u.labelID(args[1]); err != nil {
		return err
	}
	member, ok1 := ConstInt(args[2])
	length, ok2 := ConstInt(args[3])
	if !ok1 || !ok2 || member < 1 || member > length || length > maxMembers {
		return fmt.Errorf("sequence %d: a member is a number from 1 to the length, which is %d at most", c.ID,
			maxMembers)
	}
	if v, ok := ConstInt(last(args)); len(args) > want && (!ok || v != 0) {
		return fmt.Errorf("sequence %d binds values: bind them at labels (pc_label_bindings)", c.ID)
	}
	c.Member, c.Length = int(member), int(length)
	return nil
}

func last(args []cc.ExpressionNode) cc.ExpressionNode { return args[len(args)-1] }

// text is the value of a string literal.
func text(e cc.ExpressionNode) (string, bool) {
	s, ok := e.Value().(cc.StringValue)
	return strings.TrimRight(string(s), "\x00"), ok
}

// fillBound reads what follows the tag of
//
//	pc_label_bindings(PREDICATE, LABEL, "TAG", BINDING, COUNT, "NAME", VALUE, ...)
//
// or cov_label_bind_values, of integers. Annotators leave BINDING out, or write 1 for any COUNT: the names tell.
func (u *Unit) fillBound(c *LabelCall, args []cc.ExpressionNode) error {
	from := min(len(args), 3)
	for ; from < len(args); from++ {
		if _, ok := text(args[from]); ok {
			break
		}
	}
	if from > 5 || (len(args)-from)%2 != 0 {
		return fmt.Errorf("label %d: after the tag of %s stand a number, a count, and names with a value each", c.ID,
			c.Macro)
	}
	for i := from; i < len(args); i += 2 {
		name, ok := text(args[i])
		if !ok || !label.IsName(name) || name[0] >= '0' && name[0] <= '9' {
			return fmt.Errorf("label %d binds what is no name: %s", c.ID, u.Source(args[i]))
		}
		value, ok := u.Span(args[i+1])
		if !ok || u.Effect(args[i+1]) != NoEffect {
			return fmt.Errorf("label %d: the value of %s has a side effect, or may have one", c.ID, name)
		}
		for _, b := range c.Bound {
			if b.Name == name {
				return fmt.Errorf("label %d binds %s twice", c.ID, name)
			}
		}
		if c.Macro == valuesMacro && (args[i+1].Type() == nil || !cc.IsIntegerType(args[i+1].Type())) {
			return fmt.Errorf("label %d: the value of %s is no integer", c.ID, name)
		}
		c.Bound = append(c.Bound, Bound{name, value, args[i+1], c.Macro == valuesMacro})
	}
	return nil
}
