package config

import "github.com/goccy/go-yaml/ast"

// scalarText is the text of a plain value as it was written, without quotes.
func scalarText(n ast.Node) (string, bool) {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		return v.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// describe names a node that is not the plain value that was expected. Anchors and aliases
// are not followed: a configuration of this size does not need them.
func describe(n ast.Node) string {
	switch n.Type() {
	case ast.MappingType, ast.MappingValueType:
		return "a mapping"
	case ast.SequenceType:
		return "a list"
	case ast.AnchorType, ast.AliasType:
		return "an anchor or alias"
	case ast.TagType:
		return "a tag"
	case ast.MergeKeyType:
		return "a merge key"
	case ast.NullType:
		return "nothing"
	}
	if text, ok := scalarText(n); ok {
		return quote(text)
	}
	return "something else"
}

// lineOf is the line on which a node begins; a mapping begins at its first key, not at
// the colon that the parser gives as its token.
func lineOf(n ast.Node) int {
	switch v := n.(type) {
	case *ast.MappingNode:
		if !v.IsFlowStyle && len(v.Values) > 0 {
			return lineOf(v.Values[0])
		}
	case *ast.MappingValueNode:
		return lineOf(v.Key)
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 1
}
