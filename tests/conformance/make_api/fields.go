package main

import (
	"go/ast"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Types that decode themselves, and what they are in JSON.
var ownTypes = map[string]string{
	"k8s.io/apimachinery/pkg/api/resource.Quantity":       "quantity",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":       "anything",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":      "time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.ObjectMeta":     "metadata",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":           "time",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":        "anything",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString":     "int or string",
	"k8s.io/apimachinery/pkg/types.UID":                   "string",
	"k8s.io/apimachinery/pkg/runtime/schema.GroupVersion": "string",
}

var basicTypes = map[string]string{"string": "string", "bool": "boolean", "int32": "int32", "int64": "int64", "byte": "byte"}

var gateComment = regexp.MustCompile(`(?m)^\s*\+featureGate=([\w, ]+)$`)

// fieldPrinter prints the fields of a kind.
type fieldPrinter struct {
	sources *sources
	kind    string
	named   map[string]bool // gates
}

// printStruct prints the fields of a struct and all below. `above` are the types around it: one that holds itself is not followed.
func (p *fieldPrinter) printStruct(pack *pack, structure *ast.StructType, path string, above []string) {
	file := fileOf(pack, structure)
	for i, field := range structure.Fields.List {
		name, inline := jsonName(field)
		if name == "-" {
			continue
		}
		if inline {
			inner, declared, _ := p.resolve(pack, file, field.Type)
			p.printStruct(inner, declared.(*ast.StructType), path, above)
			continue
		}
		begin := structure.Fields.Opening
		if i > 0 {
			begin = structure.Fields.List[i-1].End()
		}
		var gates []string
		for _, comment := range file.Comments {
			if comment.Pos() > begin && comment.End() < field.Pos() {
				for _, match := range gateComment.FindAllStringSubmatch(comment.Text(), -1) {
					gates = append(gates, strings.Split(strings.ReplaceAll(match[1], " ", ""), ",")...)
				}
			}
		}
		slices.Sort(gates)
		gates = slices.Compact(gates)
		for _, gate := range gates {
			p.named[gate] = true
		}
		below := strings.TrimPrefix(path+"."+name, ".")
		p.printField(pack, file, field.Type, below, strings.Join(gates, ","), above)
	}
}

// printField prints a field, and those of the object that it holds, as an element or at once.
func (p *fieldPrinter) printField(pack *pack, file *ast.File, of ast.Expr, path, gates string, above []string) {
	text, below := "", path
	for {
		inner, declared, name := p.resolve(pack, file, of)
		switch declared := declared.(type) {
		case *ast.StarExpr:
			text += "*"
			of = declared.X
		case *ast.ArrayType:
			text += "[]"
			below += "[]"
			of = declared.Elt
		case *ast.MapType:
			text += "{}"
			below += "{}"
			of = declared.Value
		case *ast.StructType:
			line(p.kind, path, text+"object", gates)
			if !slices.Contains(above, name) {
				p.printStruct(inner, declared, below, append(slices.Clone(above), name))
			}
			return
		default:
			line(p.kind, path, strings.Replace(text+name, "[]byte", "bytes", 1), gates)
			return
		}
		pack, file = inner, fileOf(inner, of)
	}
}

// resolve follows names to what they stand for: the package and the declaration, or the name of a type of JSON.
func (p *fieldPrinter) resolve(pack *pack, file *ast.File, of ast.Expr) (*pack, ast.Expr, string) {
	name := ""
	for {
		switch typed := of.(type) {
		case *ast.Ident:
			if basic, ok := basicTypes[typed.Name]; ok {
				return pack, typed, basic
			}
			name = typed.Name
		case *ast.SelectorExpr:
			pack, name = p.sources.load(imported(file, typed.X.(*ast.Ident).Name)), typed.Sel.Name
		default:
			return pack, of, name
		}
		if own, ok := ownTypes[pack.path+"."+name]; ok {
			return pack, of, own
		}
		if pack.types[name] == nil {
			fail("%s has no type %s", pack.path, name)
		}
		of, file = pack.types[name].Type, pack.in[name]
	}
}

// fileOf is the file in which a piece of the package's source stands.
func fileOf(pack *pack, node ast.Node) *ast.File {
	for _, file := range pack.files {
		if file.FileStart <= node.Pos() && node.Pos() <= file.FileEnd {
			return file
		}
	}
	fail("%s: no file", pack.path)
	return nil
}

func jsonName(field *ast.Field) (name string, inline bool) {
	if field.Tag == nil {
		return "", true
	}
	tag, _ := strconv.Unquote(field.Tag.Value)
	parts := strings.Split(reflect.StructTag(tag).Get("json"), ",")
	return parts[0], parts[0] == "" || slices.Contains(parts, "inline")
}
