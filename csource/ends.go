package csource

import "modernc.org/cc/v4"

// ends names the first and the last part of a node, tokens or nodes, in the
// order of the text. It knows the kinds that programs are full of, so that
// their spans cost two short descents; of others it returns nil.
func ends(n cc.Node) (first, last cc.Node) {
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		switch x.Case {
		case cc.PrimaryExpressionGeneric:
			return nil, nil
		case cc.PrimaryExpressionExpr, cc.PrimaryExpressionStmt:
			return &x.Token, &x.Token2
		}
		return &x.Token, &x.Token
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionIndex, cc.PostfixExpressionCall, cc.PostfixExpressionSelect,
			cc.PostfixExpressionPSelect:
			return x.PostfixExpression, &x.Token2
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			return x.PostfixExpression, &x.Token
		}
	case *cc.UnaryExpression:
		switch {
		case x.CastExpression != nil:
			return &x.Token, x.CastExpression
		case x.UnaryExpression != nil:
			return &x.Token, x.UnaryExpression
		case x.TypeName != nil:
			return &x.Token, &x.Token3
		}
	case *cc.CastExpression:
		return &x.Token, x.CastExpression
	case *cc.MultiplicativeExpression:
		return x.MultiplicativeExpression, x.CastExpression
	case *cc.AdditiveExpression:
		return x.AdditiveExpression, x.MultiplicativeExpression
	case *cc.ShiftExpression:
		return x.ShiftExpression, x.AdditiveExpression
	case *cc.RelationalExpression:
		return x.RelationalExpression, x.ShiftExpression
	case *cc.EqualityExpression:
		return x.EqualityExpression, x.RelationalExpression
	case *cc.AndExpression:
		return x.AndExpression, x.EqualityExpression
	case *cc.ExclusiveOrExpression:
		return x.ExclusiveOrExpression, x.AndExpression
	case *cc.InclusiveOrExpression:
		return x.InclusiveOrExpression, x.ExclusiveOrExpression
	case *cc.LogicalAndExpression:
		return x.LogicalAndExpression, x.InclusiveOrExpression
	case *cc.LogicalOrExpression:
		return x.LogicalOrExpression, x.LogicalAndExpression
	case *cc.ConditionalExpression:
		return x.LogicalOrExpression, x.ConditionalExpression
	case *cc.AssignmentExpression:
		return x.UnaryExpression, x.AssignmentExpression
	case *cc.ConstantExpression:
		return x.ConditionalExpression, x.ConditionalExpression
	}
	return stmtEnds(n)
}

func stmtEnds(n cc.Node) (first, last cc.Node) {
	switch x := n.(type) {
	case *cc.CompoundStatement:
		return &x.Token, &x.Token2
	case *cc.ExpressionStatement:
		if x.ExpressionList != nil && x.AttributeSpecifierList == nil {
			return x.ExpressionList, &x.Token
		}
	case *cc.SelectionStatement:
		if x.Case == cc.SelectionStatementIfElse {
			return &x.Token, x.Statement2
		}
		return &x.Token, x.Statement
	case *cc.IterationStatement:
		if x.Case != cc.IterationStatementDo {
			return &x.Token, x.Statement
		}
	case *cc.JumpStatement:
		switch x.Case {
		case cc.JumpStatementContinue, cc.JumpStatementBreak, cc.JumpStatementReturn:
			return &x.Token, &x.Token2
		}
		return &x.Token, &x.Token3
	case *cc.LabeledStatement:
		if x.Statement != nil {
			return &x.Token, x.Statement
		}
	case *cc.Statement:
		var s cc.Node
		switch x.Case {
		case cc.StatementLabeled:
			s = x.LabeledStatement
		case cc.StatementCompound:
			s = x.CompoundStatement
		case cc.StatementExpr:
			s = x.ExpressionStatement
		case cc.StatementSelection:
			s = x.SelectionStatement
		case cc.StatementIteration:
			s = x.IterationStatement
		case cc.StatementJump:
			s = x.JumpStatement
		}
		return s, s
	case *cc.FunctionDefinition:
		if x.DeclarationSpecifiers != nil {
			return x.DeclarationSpecifiers, x.CompoundStatement
		}
	case *cc.Declaration:
		if x.Case == cc.DeclarationDecl && x.DeclarationSpecifiers != nil {
			return x.DeclarationSpecifiers, &x.Token
		}
	}
	return nil, nil
}
