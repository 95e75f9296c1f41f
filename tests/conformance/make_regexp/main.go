// Asks Go's regexp and unicode packages what src/cel/regexp.c has to say, and makes the tables of src/cel/unicode.c. In a copy of this folder:
//
//	go mod init make_regexp
//	go run . tables FOLDER          # unicode_names.def, unicode_categories.def, unicode_scripts.def, unicode_folding.def
//	go run . cases > cel_regexp_cases.h
//	go run . random SEED COUNT TEXTS ANSWERS; build/tests/regexp_print < TEXTS | diff - ANSWERS
//	build/tests/regexp_print threads < TEXTS | diff - <(sed 's/,[^ ]*//g' ANSWERS)
//
// Go 1.25 to 1.26 give the answers; 1.27 has newer tables.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"math/rand"
	"os"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// ---- tables ----

const source = "Made by tests/conformance/make_regexp: Unicode " + unicode.Version + ", from Go's package unicode."

// canonical is a name as Go 1.25 compares them.
func canonical(name string) string {
	bare := strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
	return strings.ToUpper(bare[:1]) + bare[1:]
}

// writeTable writes items with spaces between them, on lines of at most 140 characters.
func writeTable(path, what string, items []string) {
	var text strings.Builder
	fmt.Fprintf(&text, "/* %s\n * %s */\n", what, source)
	length := 0
	for _, item := range items {
		if length > 0 && length+1+len(item) > 138 {
			text.WriteString("\n")
			length = 0
		} else if length > 0 {
			text.WriteString(" ")
			length++
		}
		text.WriteString(item)
		length += len(item)
	}
	text.WriteString("\n")
	check(os.WriteFile(path, []byte(text.String()), 0o644))
}

// beginnings lists where each of the tables, which do not overlap, begins and ends; `rest` is what is in none.
func beginnings(tables map[string]*unicode.RangeTable, rest string) []string {
	of := make([]string, unicode.MaxRune+1)
	for name, table := range tables {
		for c := rune(0); c <= unicode.MaxRune; c++ {
			if unicode.Is(table, c) {
				of[c] = name
			}
		}
	}
	var items []string
	last := "none yet"
	for c, name := range of {
		if name == "" {
			name = rest
		}
		if name != last {
			items = append(items, fmt.Sprintf("R(0x%X,%s)", c, name))
			last = name
		}
	}
	return items
}

func baseCategories() map[string]*unicode.RangeTable {
	base := map[string]*unicode.RangeTable{}
	for name, table := range unicode.Categories {
		if len(name) == 2 && name != "LC" {
			base[name] = table
		}
	}
	return base
}

// parts is a category as a sum of those of two letters.
func parts(name string) string {
	var all []string
	for base := range baseCategories() {
		cased := base == "Lu" || base == "Ll" || base == "Lt"
		if base == name || len(name) == 1 && base[:1] == name || name == "LC" && cased {
			all = append(all, "M("+base+")")
		}
	}
	sort.Strings(all)
	return strings.Join(all, "|")
}

// nameRows are the names of classes; Go 1.24 did not know Cn, LC, and names of categories in words.
func nameRows() []string {
	rows := map[string]string{}
	category := func(name, before, now string) {
		rows[name] = fmt.Sprintf("CATEGORY_NAME(%q, %s, %s)", name, before, now)
	}
	for long, short := range unicode.CategoryAliases {
		category(canonical(long), "0", parts(short))
	}
	for name := range unicode.Categories {
		switch name {
		case "Cn", "LC":
			category(canonical(name), "0", parts(name))
		case "C":
			category(name, strings.Replace(parts(name), "M(Cn)|", "", 1), parts(name))
		default:
			category(name, parts(name), parts(name))
		}
	}
	category("Any", "EVERY", "EVERY")
	category("Assigned", "0", "EVERY & ~M(Cn)")
	category("Ascii", "0", "ASCII")
	for name := range unicode.Scripts {
		known := 0
		if canonical(name) == name {
			known = 1
		}
		rows[name] = fmt.Sprintf("SCRIPT_NAME(%s, 1, %d)", name, known)
	}
	var names, sorted []string
	for name := range rows {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		sorted = append(sorted, rows[name])
	}
	return sorted
}

// orbit is what is the same as c but for case, sorted.
func orbit(c rune) []rune {
	all := []rune{c}
	for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
		all = append(all, f)
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	return all
}

func foldings() []string {
	var pairs [][]rune
	var items, several []string
	for c := rune(0); c <= unicode.MaxRune; c++ {
		all := orbit(c)
		switch {
		case all[0] != c || len(all) == 1:
		case len(all) == 2:
			pairs = append(pairs, all)
		default:
			for len(all) < 4 {
				all = append(all, all[len(all)-1])
			}
			several = append(several, fmt.Sprintf("SEVERAL(0x%X,0x%X,0x%X,0x%X)", all[0], all[1], all[2], all[3]))
		}
	}
	for i := 0; i < len(pairs); {
		first, j := pairs[i], i+1
		if first[1] == first[0]+1 {
			for j < len(pairs) && pairs[j][0] == pairs[j-1][0]+2 && pairs[j][1] == pairs[j][0]+1 {
				j++
			}
			items = append(items, fmt.Sprintf("ALTERNATING(0x%X,0x%X)", first[0], pairs[j-1][1]))
		} else {
			for j < len(pairs) && pairs[j][0] == pairs[j-1][0]+1 && pairs[j][1] == pairs[j-1][1]+1 && pairs[j][0] < first[1] {
				j++
			}
			items = append(items, fmt.Sprintf("SHIFTED(0x%X,0x%X,0x%X)", first[0], pairs[j-1][0], first[1]))
		}
		i = j
	}
	return append(items, several...)
}

func writeTables(folder string) {
	writeTable(folder+"/unicode_names.def", "Names of classes, sorted: what Go before 1.25 takes each for, and Go from 1.25 on; 0: nothing.", nameRows())
	writeTable(folder+"/unicode_categories.def", "The category of each character: where characters of another one begin.", beginnings(baseCategories(), ""))
	writeTable(folder+"/unicode_scripts.def", "The script of each character: where characters of another one begin.", beginnings(unicode.Scripts, "Unknown"))
	writeTable(folder+"/unicode_folding.def", "Characters that are the same but for case (simple folding).", foldings())
}

// ---- patterns ----

var atoms = strings.Split(`a b k K s S x y 0 9 _ - . ^ $ \d \D \w \W \s \S \b \B \A \z \pL \PL \pN \p{Lu} \p{Ll} \P{Lu} \p{Greek} \p{^Greek} \p{Latin}`+
	` [a-z] [^a-z] [abc] [^a] [[:alpha:]] [[:^digit:]] [\w-] []a] [^]a] [a-] [-a] é É ß ẞ ſ K Å å σ ς 世 😀 \x41 \x{212a} \x{1F600} \n \t \012 \07 \0 \.`+
	` \[ \\ \Qa.b\E \Q* [k] [s-t] [^K] (?i) (?m) (?s) (?U) (?-i) (?i-s) [\d\pL] [^\n] [\x00-\x{10FFFF}] \p{Any} \P{Any} [[=a=]] [a-z&&[b]] [[:word:]_]`+
	` { } {,3} a{1 \_ ab abc \x{d800} [\x{d000}-\x{d900}] [^\x{d800}-\x{dfff}] a?? b? a*? b* (?:|a) a+? (?:a|b)?? a{0,2}? (?:b|) ab?? (?U:a*)`, " ")

var doubtful = strings.Split(`\Z \C \G \K \R \X \h \N \e \cA \u0041 \8 \9 \1 \12 \18 \E \q \y \é \x{110000} \x{} \x \x4 \xg \x{12 \x{zz} \p \p{ \p{} \p{Foo} \pé`+
	` \p{IsGreek} \pl \p{letter} \p{Old_Italic} \p{olditalic} \p{_G-r_eek} \p{ASCII} \p{lc} \p{Cn} \P{assigned} \p{Uppercase-Letter} [[:foo:]] [[:alpha: [[:alpha]]`+
	` [z-a] [a [ [] [^ [^] [\d-z] [a-\d] [\Qa] [\ [[.a.]] ) ( (? (?: (?i (?x) (?=a) (?!a) (?<=a) (?<!a) (?>a) (?|a) (?#a) (?P<n>a) (?<n>a) (?P<1>a) (?P<>a)`+
	` (?P<n (?<n (?< (?P (?P< (?P=n) (?P>n) (?R) (?1) (?&n) (?(1)a) (*F) (*UTF) (?P<é>a) (?P<n-1>a) (?'n'a) (?-) (?i-) (?--i) (?ims-U:a) (?i-m-s) (?:) ()`+
	` \k<n> \g1 \ (?) (?z (?-z) (?iz:a)`, " ")

var repetitions = strings.Split(`* + ? *? +? ?? {2} {2}? {0} {0,} {1,} {2,3} {0,1} {2,}? {2,3}?`, " ")
var doubtfulRepetitions = strings.Split(`{,2} {3,2} {1000} {1001} {1,1001} {99999999999} {01} {1 {1, {1,2 {1}{2} ** ++ *+ ??+ {2}* {100} {11} {0,0} {1,0}`, " ")
var groups = strings.Split(`( ( (?: (?: (?i: (?s: (?m: (?U: (?P<n> (?<n> (?i-s: (?-i:`, " ")
var texts = []string{"", "a", "ab", "abc", "k", "K", "K", "s", "ſ", "aK9", "xyz", "  a_b", "a\nb", "\n", "a\n", "é", "É", "straße", "STRASSE", "ΣΑΣ", "σας", "世界",
	"😀a", "09", "aaa", "aabbcc", "\x0b", "\t\r\n", "\x00", "A-z", "a.b*", "foo bar", "abab", "\u0378", "\ud7ff", "\uffff", "𞤀", "ǅ", "aaab", "x\ny\nz", "\n\n"}

type maker struct {
	*rand.Rand
	doubt bool
}

func (m maker) of(list []string) string { return list[m.Intn(len(list))] }

func (m maker) pattern(depth int) string {
	text := ""
	for n := 1 + m.Intn(4); n > 0; n-- {
		switch k := m.Intn(100); {
		case k < 30 && depth > 0:
			text += m.of(groups) + m.pattern(depth-1) + ")"
		case k < 38 && depth > 0:
			text += m.pattern(depth-1) + "|" + m.pattern(depth-1)
		case k < 50 && m.doubt:
			text += m.of(doubtful)
		default:
			text += m.of(atoms)
		}
		if m.Intn(3) == 0 {
			text += m.of(repetitions)
		}
		if m.doubt && m.Intn(8) == 0 {
			text += m.of(doubtfulRepetitions)
		}
	}
	return text
}

// spoil changes a byte or two.
func (m maker) spoil(text string) string {
	const marks = "()[]{}?*+|\\^$.-,:<>PpQExUimsdwaZz019&=!#'\" K"
	for n := 1 + m.Intn(3); n > 0; n-- {
		i := m.Intn(len(text) + 1)
		j := min(i+m.Intn(2), len(text))
		text = text[:i] + marks[m.Intn(len(marks)):][:m.Intn(2)] + text[j:]
	}
	return text
}

func (m maker) any() string {
	m.doubt = m.Intn(4) == 0
	text := m.pattern(m.Intn(4))
	if m.Intn(3) == 0 {
		text = m.spoil(text)
	}
	return text
}

func (m maker) text() string {
	if m.Intn(2) == 0 {
		return m.of(texts)
	}
	text := ""
	for n := 1 + m.Intn(10); n > 0; n-- {
		text += m.of([]string{"a", "a", "b", "b", "k", "K", "s", "x", "0", " ", "_", "-", "\n", ".", "é", "ß", "{"})
	}
	return text
}

// ---- answers ----

// cString writes bytes as a string of C.
func cString(text string) string {
	out := `"`
	for _, c := range []byte(text) {
		switch {
		case c == '"' || c == '\\' || c == '?':
			out += `\` + string(rune(c))
		case c < ' ' || c >= 0x7F:
			out += fmt.Sprintf(`\%03o`, c)
		default:
			out += string(rune(c))
		}
	}
	return out + `"`
}

func printCase(m maker, pattern string) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		fmt.Printf("    { BYTES(%s), %s, { { { NULL, 0 }, 0, 0 } } },\n", cString(pattern), cString(err.Error()))
		return
	}
	fmt.Printf("    { BYTES(%s), NULL, {", cString(pattern))
	for i := 0; i < 3; i++ {
		text := m.text()
		where := re.FindStringIndex(text)
		if where == nil {
			where = []int{-1, -1}
		}
		fmt.Printf(" { BYTES(%s), %d, %d },", cString(text), where[0], where[1])
	}
	fmt.Println(" } },")
}

func printCases() {
	m := maker{rand.New(rand.NewSource(1)), false}
	fmt.Println("/* Patterns, why Go refuses them, and where they match first in texts (-1: nowhere). Made by tests/conformance/make_regexp. */")
	for _, list := range [][]string{doubtful, atoms} {
		for _, pattern := range list {
			printCase(m, pattern)
		}
	}
	for _, repetition := range append(repetitions, doubtfulRepetitions...) {
		printCase(m, "a"+repetition)
		printCase(m, "(?:|a)"+repetition+"b")
		printCase(m, repetition)
	}
	for i := 0; i < 400; i++ {
		printCase(m, m.any())
	}
}

func writeRandom(seed, count int64, textsPath, answersPath string) {
	m := maker{rand.New(rand.NewSource(seed)), false}
	textsFile, err := os.Create(textsPath)
	check(err)
	answersFile, err := os.Create(answersPath)
	check(err)
	asked, answers := bufio.NewWriter(textsFile), bufio.NewWriter(answersFile)
	for ; count > 0; count-- {
		pattern := m.any()
		fmt.Fprint(asked, hex.EncodeToString([]byte(pattern)))
		re, err := regexp.Compile(pattern)
		if err != nil {
			fmt.Fprintf(answers, "%x %x\n", pattern, err.Error())
		} else {
			fmt.Fprintf(answers, "%x valid", pattern)
		}
		for i := 0; err == nil && i < 4; i++ {
			text := m.text()
			fmt.Fprint(asked, " ", hex.EncodeToString([]byte("." + text))[2:], ".")
			before := " "
			for _, where := range re.FindAllStringIndex(text, -1) {
				fmt.Fprintf(answers, "%s%d-%d", before, where[0], where[1])
				before = ","
			}
			if before == " " {
				fmt.Fprint(answers, " none")
			}
		}
		if err == nil {
			fmt.Fprintln(answers)
		}
		fmt.Fprintln(asked)
	}
	check(asked.Flush())
	check(answers.Flush())
}

func main() {
	switch {
	case len(os.Args) == 3 && os.Args[1] == "tables":
		writeTables(os.Args[2])
	case len(os.Args) == 2 && os.Args[1] == "cases":
		printCases()
	case len(os.Args) == 6 && os.Args[1] == "random":
		seed, err := strconv.ParseInt(os.Args[2], 10, 64)
		check(err)
		count, err := strconv.ParseInt(os.Args[3], 10, 64)
		check(err)
		writeRandom(seed, count, os.Args[4], os.Args[5])
	default:
		fmt.Fprintln(os.Stderr, "usage: make_regexp tables FOLDER | cases | random SEED COUNT TEXTS ANSWERS")
		os.Exit(2)
	}
}
