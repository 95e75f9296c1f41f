// Makes texts of quantities and asks k8s.io/apimachinery v0.35.4 (pkg/api/resource) what they are: the source of ../quantity.jsonl.gz, and of as many
// more as wanted. In a copy of this folder:
//
//	go mod init make_quantity && go get k8s.io/apimachinery@v0.35.4
//	go run . cases | gzip -9n > quantity.jsonl.gz
//	go run . random SEED COUNT TEXTS ANSWERS; build/tests/quantity_print < TEXTS | sed 's/"refused":"[^"]*"/"refused":true/' | cmp - ANSWERS
//
// Left out of the random ones: what LIMITS of drawbridge(1) says, and where Kubernetes needs minutes: texts over 4,096 characters and exponents
// beyond a million (of which it keeps 32 bits).
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/resource"
)

const (
	mostBytes    = 4096
	mostExponent = 1000000
	made         = 20000 // texts, of which cases keeps those with a pair of features that few others have
	keptOfAPair  = 3
)

// ---- what Kubernetes says ----

type answer struct {
	Refused  bool   `json:"refused,omitempty"`
	Value    string `json:"value,omitempty"`
	Milli    string `json:"milli,omitempty"`
	Big      *bool  `json:"big,omitempty"`
	Int64    *int64 `json:"int64,omitempty"`
	Int64Big *int64 `json:"int64Big,omitempty"`
	Order    *int   `json:"order,omitempty"`
	Sum      *int   `json:"sum,omitempty"`
}

type chain struct {
	before, beforeThat *resource.Quantity
}

func decode(token string) (resource.Quantity, error) {
	var quantity resource.Quantity
	err := quantity.UnmarshalJSON([]byte(token))
	return quantity, err
}

func isBig(quantity resource.Quantity) bool {
	return !reflect.ValueOf(quantity).FieldByName("d").Field(0).IsNil()
}

func exactly(quantity resource.Quantity) string {
	number := quantity.DeepCopy()
	dec := number.AsDec()
	if dec.Sign() == 0 {
		return "0"
	}
	digits := dec.UnscaledBig().String()
	kept := strings.TrimRight(digits, "0")
	return kept + "e" + strconv.Itoa(len(digits)-len(kept)-int(dec.Scale()))
}

func (c *chain) ask(quantity resource.Quantity) answer {
	milli, small, dec := quantity.DeepCopy(), quantity.DeepCopy(), quantity.DeepCopy()
	milli.RoundUp(resource.Milli)
	big, value, valueBig := isBig(quantity), small.Value(), dec.ToDec().Value()
	said := answer{Value: exactly(quantity), Milli: exactly(milli), Big: &big, Int64: &value, Int64Big: &valueBig}
	if c.before != nil {
		left := quantity.DeepCopy()
		order := left.Cmp(*c.before)
		said.Order = &order
	}
	if c.beforeThat != nil {
		sum := c.beforeThat.DeepCopy()
		sum.Add(*c.before)
		order := sum.Cmp(quantity.DeepCopy())
		said.Sum = &order
	}
	c.beforeThat, c.before = c.before, &quantity
	return said
}

func (c *chain) askText(text string) answer {
	quantity, err := decode(`"` + text + `"`)
	if err != nil {
		return answer{Refused: true}
	}
	return c.ask(quantity)
}

var power = regexp.MustCompile(`^[+-]?[0-9]*\.?[0-9]*[eE]([+-]?[0-9]+)$`)

// The power of ten of a text, as far as Kubernetes keeps it.
func exponent(text string) int32 {
	found := power.FindStringSubmatch(strings.TrimSpace(text))
	if found == nil {
		return 0
	}
	value, err := strconv.ParseInt(found[1], 10, 64)
	if err != nil {
		return 0
	}
	return int32(value)
}

func beyondLimits(text string) bool {
	kept := exponent(text)
	return len(strings.TrimSpace(text)) > mostBytes || kept > mostExponent || kept < -mostExponent
}

// ---- texts ----

var (
	suffixes = []string{"", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}
	twos     = map[string]int{"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
	tens     = map[string]int{"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
	spaces   = []string{" ", "  ", "\t", "\n", "\r\n", "\v", "\f", "\u0085", "\u00a0", "\u1680", "\u2000", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"}
	noSpaces = []string{"\u200b", "\ufeff", "\u180e", "\u2060", "\x00", "\x1c", "\xa0", "\x85", "\xff", "\xc2", "\xe2\x80", "\xe3\x80\x80\x80"}
	bad      = []string{
		"", ".", "+", "-", "+.", "-.", "..", "--1", "+-1", "-+1", "++1", "1-", "1+", "1+1", "1-1", "1..2", "1.2.3", "1e", "1e+", "1e-", "1E+", "1E-", "1e+-1", "1e--1",
		"1e1.5", "1e1.", "1e.1", "1ee1", "1eE1", "1Ee1", "1EE1", "1e1e1", "1e1Ki", "1E1i", "1Ei1", "1K", "1g", "1t", "1p", "1N", "1U", "1KI", "1ki", "1mi", "1gi", "1ti", "1pi", "1ei",
		"1GI", "1ni", "1ui", "1i", "1Kii", "1iK", "1kk", "1mm", "1nn", "1km", "1MK", "1KiB", "1GB", "1Z", "1Zi", "1Y", "1Yi", "1R", "1Ri", "1Q", "1h", "1da", "1c", "1 Ki", "1 2", "- 1",
		"1, 2", "1,5", "1,000", "1_000", "0x10", "0b1", "0o7", "1e0x1", "1e1_0", "NaN", "nan", "Inf", "-Inf", "inf", "infinity", "null", "true", "false", "nil", "m", "k", "e", "E", "Ki", "Mi",
		"Gi", "Ti", "Pi", "Ei", "n", "u", "e1", "E1", "e-9", "e-10", "e+18", ".m", ".Ki", ".Ti", ".Pi", ".Ei", ".e1", ".e-9", ".e-10", "-m", "+Ki", "-Ti", "-Pi", "0Pi", "0Ei", ".0Pi", "0.Pi",
		"٣", "１", "۱Ki", "1\u0660", "²", "½", "1м", "1К", "1Кi", "1µ", "1μ", "−1", "＋1", "1．5", "1٫5", "1\u0301", "\\u0031", "1\\n", "\"1\"", "1\"", "'1'", "{}", "[]", "1%", "$1", "1;",
		"1e9223372036854775808", "1e-9223372036854775809", "1e99999999999999999999", "1e-99999999999999999999", "1e18446744073709551616", "0e9223372036854775808",
	}
	edges = []string{
		"9223372036854775807", "9223372036854775808", "9223372036854775806", "9223372036854775809", "18446744073709551615", "18446744073709551616",
		"9007199254740991", "9007199254740992", "9007199254740993", "8796093022207", "8796093022208", "8589934591", "8589934592", "8388607", "8388608", "8191", "8192",
		"8191.9999999999999999", "7.9999999999999999999", "9007199254740991.9990234375", "8589934591.999999999068677425384521484375",
		"9223372036.854775807", "9223372036.854775808", "922337203685477580.7", "99999999999", "999999999999", "99999999", "100000000", "99999", "100000", "99", "100",
		"999999999999999999", "1000000000000000000", "99999999999999999", "92233720368547758", "922337203685477580", "922337203685477581", "9223372036854775", "9223372036854776",
		"0.123456789012345678", "0.12345678901234567", ".123456789012345678", ".1234567890123456789", "0.000000000000000001", "0.999999999999999999",
	}
)

type maker struct {
	*rand.Rand
	wild bool // exponents of any size that Kubernetes can bear
}

func (m *maker) pick(from []string) string { return from[m.Intn(len(from))] }

func (m *maker) chance(of int) bool { return m.Intn(of) == 0 }

func (m *maker) digits(count int) string {
	text := make([]byte, count)
	style := m.Intn(7)
	for i := range text {
		switch style {
		case 0:
			text[i] = '9'
		case 1:
			text[i] = '0'
		case 2:
			text[i] = "01"[m.Intn(2)]
		default:
			text[i] = byte('0' + m.Intn(10))
		}
	}
	if count > 0 && style <= 2 {
		text[m.Intn(2)*(count-1)] = byte('0' + m.Intn(10))
	}
	return string(text)
}

func (m *maker) count() int {
	switch m.Intn(12) {
	case 0, 1, 2, 3, 4:
		return 1 + m.Intn(4)
	case 5, 6:
		return 5 + m.Intn(10)
	case 7, 8, 9:
		return 14 + m.Intn(8)
	case 10:
		return m.Intn(45)
	}
	return 0
}

func (m *maker) number() string {
	if m.chance(8) {
		return m.pick(edges)
	}
	number := m.digits(m.count())
	if m.chance(6) {
		number = strings.Repeat("0", 1+m.Intn(4)*m.Intn(8)) + number
	}
	if m.chance(2) {
		number += "."
		if !m.chance(8) {
			number += m.digits(m.count())
		}
		if m.chance(6) {
			number += strings.Repeat("0", 1+m.Intn(12))
		}
	}
	if m.wild && m.chance(2000) {
		number = m.digits(m.Intn(mostBytes-10)) + number
	}
	return number
}

func (m *maker) exponent() string {
	text, value := m.pick([]string{"e", "E"}), int64(0)
	switch m.Intn(10) {
	case 0, 1, 2, 3:
		value = int64(m.Intn(13))
	case 4, 5, 6:
		value = int64(m.Intn(24))
	case 7:
		value = int64(m.Intn(90))
	case 8:
		value = int64(m.Intn(700))
		if m.wild && m.chance(200) {
			value = int64(m.Intn(mostExponent))
		}
	case 9:
		value = int64(m.Intn(5))<<32 + int64(m.Intn(60)) - 30
		if m.chance(4) {
			value = 1<<63 - 1 - int64(m.Intn(12))
		}
		if value < 0 {
			value = -value
		}
	}
	text += m.pick([]string{"", "", "+", "-", "-"})
	if m.chance(10) {
		text += strings.Repeat("0", 1+m.Intn(22))
	}
	return text + strconv.FormatInt(value, 10)
}

func (m *maker) good() string {
	sign := m.pick([]string{"", "", "", "-", "-", "+"})
	if m.chance(3) {
		return sign + m.number() + m.exponent()
	}
	return sign + m.number() + m.pick(suffixes)
}

func (m *maker) broken() string {
	text := m.good()
	if m.chance(4) {
		text = m.pick(bad)
	}
	for changes := 1 + m.Intn(2); changes > 0; changes-- {
		at := m.Intn(len(text) + 1)
		from := m.pick([]string{"+", "-", ".", "e", "E", "i", "n", "u", "m", "k", "K", "M", "G", "T", "P", "0", "9", " ", "_", ",", "Z", "\t", "x", "１", "٣"})
		switch m.Intn(3) {
		case 0:
			text = text[:at] + from + text[at:]
		case 1:
			text = text[:at] + from + text[min(at+1, len(text)):]
		case 2:
			text = text[:at] + text[min(at+1, len(text)):]
		}
	}
	return text
}

func (m *maker) padded(text string) string {
	for m.chance(2) {
		if m.chance(2) {
			text = m.pick(spaces) + text
		} else {
			text += m.pick(spaces)
		}
	}
	if m.chance(5) {
		if m.chance(2) {
			text = m.pick(noSpaces) + text
		} else {
			text += m.pick(noSpaces)
		}
	}
	return text
}

// The number of a text written in another way, or one that is close to it.
func (m *maker) neighbour(text string) string {
	quantity, err := decode(`"` + text + `"`)
	if err != nil || len(exactly(quantity)) > 200 {
		return m.good()
	}
	number := quantity.DeepCopy()
	dec := number.AsDec()
	if dec.Scale() < -400 || dec.Scale() > 400 {
		return m.good()
	}
	nanos := new(big.Int).Set(dec.UnscaledBig()) // at 10^-scale
	scale := int(dec.Scale())
	switch m.Intn(5) {
	case 0:
		nanos.Add(nanos, big.NewInt(int64(m.Intn(3)-1)))
	case 1:
		nanos.Neg(nanos)
	case 2: // more digits
		more := m.Intn(20)
		nanos.Mul(nanos, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(more)), nil))
		scale += more
		nanos.Add(nanos, big.NewInt(int64(m.Intn(3)-1)))
	}
	suffix := m.pick(suffixes)
	if base, found := twos[suffix]; found {
		quotient, rest := new(big.Int).QuoRem(nanos, new(big.Int).Lsh(big.NewInt(1), uint(base)), new(big.Int))
		if rest.Sign() != 0 && base > 10 {
			suffix = ""
		} else if rest.Sign() != 0 {
			nanos.Mul(nanos, big.NewInt(9765625)) // / 1024 * 10^10
			scale += 10
		} else {
			nanos = quotient
		}
	}
	if _, found := twos[suffix]; !found {
		scale += tens[suffix]
	}
	sign := ""
	if nanos.Sign() < 0 {
		sign = "-"
	}
	digits := new(big.Int).Abs(nanos).String()
	switch _, found := twos[suffix]; {
	case scale == 0:
		return sign + digits + suffix
	case scale < 0 && scale > -60:
		return sign + digits + strings.Repeat("0", -scale) + suffix
	case scale > 0 && scale < 80:
		if len(digits) <= scale {
			digits = strings.Repeat("0", scale-len(digits)+m.Intn(2)) + digits
		}
		return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:] + suffix
	case found:
		return m.good()
	}
	return sign + digits + "e" + strconv.Itoa(tens[suffix]-scale)
}

// One to three texts that belong together.
func (m *maker) group() []string {
	texts := []string{m.good()}
	switch m.Intn(20) {
	case 0, 1, 2:
		texts[0] = m.broken()
	case 3:
		texts[0] = m.padded(m.good())
	case 4:
		texts[0] = m.pick(bad)
	case 5, 6, 7, 8, 9:
		texts = append(texts, m.neighbour(texts[0]))
		if m.chance(2) {
			texts = append(texts, m.neighbour(texts[m.Intn(2)]))
		}
	}
	kept := texts[:0]
	for _, text := range texts {
		if !beyondLimits(text) {
			kept = append(kept, text)
		}
	}
	return kept
}

// What becomes of a text that was YAML, where the same is one: it is made JSON before it is decoded.
func fromYAML(token string) string {
	var text string
	if token[0] != '"' || strings.ContainsAny(token, "\u2028\u2029/") || json.Unmarshal([]byte(token), &text) != nil {
		return ""
	}
	again, _ := json.Marshal(text)
	if _, err := decode(string(again)); err != nil {
		return "refused"
	}
	return "read"
}

// ---- the cases ----

type testCase struct {
	Text   *string `json:"text,omitempty"`
	Base64 string  `json:"base64,omitempty"` // of a text that is not UTF-8
	JSON   string  `json:"json,omitempty"`   // a value as it stands in an object
	String string  `json:"string,omitempty"` // the same number as Kubernetes writes it, if otherwise
	Limit  bool    `json:"limit,omitempty"`  // refused because of LIMITS of drawbridge(1)
	YAML   string  `json:"yaml,omitempty"`   // "read" or "refused", where json is also a text in YAML's double quotes
	answer
}

func bucket(count int, steps ...int) int {
	for i, step := range steps {
		if count <= step {
			return i
		}
	}
	return len(steps)
}

func sign(number int64) int {
	switch {
	case number < 0:
		return -1
	case number > 0:
		return 1
	}
	return 0
}

var parts = regexp.MustCompile(`^([+-]?)(0*)([0-9]*)(\.?)([0-9]*)([a-zA-Z]*)([+-]?)([0-9]*)$`)

// What there is to a text and its number.
func features(text string, said answer) []string {
	trimmed := strings.TrimSpace(text)
	found, power := parts.FindStringSubmatch(trimmed), exponent(text)
	if found == nil || said.Refused {
		rest := strings.Trim(text, "0123456789.")
		return []string{"refused", strconv.Itoa(min(len(rest), 4)) + rest[max(len(rest)-2, 0):]}
	}
	return []string{
		"sign" + found[1],
		fmt.Sprint("zeros", found[2] != ""),
		fmt.Sprint("whole", bucket(len(found[3]), 0, 1, 10, 17, 18, 19)),
		fmt.Sprint("fraction", found[4], bucket(len(found[5]), 0, 8, 9, 17, 18)),
		"suffix" + found[6] + found[7],
		fmt.Sprint("exponent", bucket(int(power), -10, -9, -1, 0, 1, 2, 3, 6, 9, 18, 19)),
		fmt.Sprint("held", *said.Big, *said.Int64 == *said.Int64Big, said.Value == said.Milli, said.Value == "0"),
		fmt.Sprint("result", said.Value == "9223372036854775807e0", sign(*said.Int64), sign(*said.Int64Big)),
		fmt.Sprint("space", len(text)-len(trimmed)),
	}
}

// Counts each pair of features, and says whether one of them is still wanted.
func pairs(counts map[string]int, features []string) bool {
	wanted := false
	for i, one := range features {
		for _, other := range features[:i] {
			wanted = wanted || counts[one+" "+other] < keptOfAPair
			counts[one+" "+other]++
		}
	}
	return wanted
}

func (c *chain) testCase(text string) testCase {
	made := testCase{answer: c.askText(text)}
	if utf8.ValidString(text) {
		made.Text = &text
	} else {
		made.Base64 = base64.StdEncoding.EncodeToString([]byte(text))
	}
	if !made.Refused && len(made.Value) < 1000 {
		made.String = canonical(text, made.Value)
	}
	made.leaveOut()
	return made
}

// How Kubernetes writes the number: nothing where that is the text, where it takes long, and where it loses the number ("1000E" becomes "1").
func canonical(text, value string) string {
	if power := exponent(text); power > 1000 || power < -1000 {
		return ""
	}
	quantity, _ := decode(`"` + text + `"`)
	number, suffix := quantity.CanonicalizeBytes(nil)
	written := string(number) + string(suffix)
	again, err := decode(`"` + written + `"`)
	if written == text || err != nil || exactly(again) != value {
		return ""
	}
	return written
}

// What is the same as another member is not written.
func (said *answer) leaveOut() {
	if said.Milli == said.Value {
		said.Milli = ""
	}
	if said.Int64 != nil && *said.Int64 == *said.Int64Big {
		said.Int64Big = nil
	}
}

var tokens = []string{
	`null`, `true`, `false`, `[]`, `{}`, `[1]`, `{"a":1}`, `0`, `-0`, `1`, `-1`, `1.50`, `1.5`, `-1.5`, `0.001`, `0.0000000001`, `1e3`, `1E3`, `1e+3`, `1e-3`, `1.5e3`, `1E-10`, `-1e-10`,
	`123456789012345678901234567890`, `9223372036854775807`, `9223372036854775808`, `-9223372036854775808`, `9223372036854775807.5`, `1e18`, `1e19`, `1e100`, `1e4294967297`,
	`1e9223372036854775807`, `1e9223372036854775808`, `1e-9223372036854775809`, `1e00000000000000000000001`, `0e0`, `0.0`, `-0.0e-5`, `""`, `" "`, `"1"`, `" 1 "`, `"1.50"`, `"01"`, `"+1"`, `"1."`, `".5"`, `"."`,
	`"-"`, `"1e3"`, `"1E3"`, `"1Ki"`, `"1K"`, `"null"`, `"true"`, `"\u0031"`, `"1\u0020"`, `"1\t"`, `"\n1"`, `"1\/1"`, `"1\\"`, `"1\""`, `"\"1\""`, `"1` + "\u00a0" + `"`, `"` + "\u2028" + `1"`,
	`"` + "\u200b" + `1"`, `"１"`, `"1\u004bi"`, `"1Gi\n"`, `"\r1"`, `"1\u2028"`, `"\u20291"`, `"1\u0085"`, `"\u00a01"`, `"1\u3000"`, `"\u0009"`, `"1\u000b"`, `"1\u001f"`,
}

func cases() []testCase {
	m := &maker{Rand: rand.New(rand.NewSource(1))}
	var all []testCase
	var links chain
	seen, counts := map[string]bool{}, map[string]int{}
	add := func(text string) {
		if !seen[text] {
			seen[text] = true
			all = append(all, links.testCase(text))
		}
	}
	for _, text := range bad {
		add(text)
	}
	for _, text := range append(append([]string{}, spaces...), noSpaces...) {
		add(text + "1")
		add("1" + text)
	}
	for _, suffix := range suffixes {
		for _, number := range []string{"0", "1", "-1", "1.5", "-1.5", "9223372036854775807", "-9223372036854775808"} {
			add(number + suffix)
		}
	}
	for _, number := range []string{"1", "-3", "999999999999999999", "-1234567890123456789"} { // what overflows wraps, or is 0
		for power := -12; power <= 22; power++ {
			add(number + "e" + strconv.Itoa(power))
		}
	}
	for _, suffix := range []string{"Ki", "Mi", "Gi", "Ti", "Pi"} { // which are decimals
		for _, count := range []int{2, 3, 5, 6, 8, 9, 11, 12} {
			add(strings.Repeat("7", count) + suffix)
		}
	}
	for _, text := range []string{"1e9223372036854775807", "1e-9223372036854775807", "1e-9223372036854775808"} {
		add(text)
	}
	for _, head := range []string{"", "-", "0", "1.", "-."} { // as long as a text may be
		for _, suffix := range []string{"", "n", "Ki", "Ei", "e3", "e-4096"} {
			add(head + strings.Repeat("9", mostBytes-len(head)-len(suffix)) + suffix)
		}
	}
	for count := 0; count < made; {
		group := m.group()
		count += len(group)
		wanted := false
		for _, text := range group {
			var alone chain
			rare := pairs(counts, features(text, alone.askText(text)))
			wanted = wanted || (rare && !seen[text])
		}
		for _, text := range group {
			if wanted {
				add(text)
			}
		}
	}
	for _, token := range tokens {
		quantity, err := decode(token)
		made := testCase{JSON: token, YAML: fromYAML(token), answer: answer{Refused: err != nil}}
		if err == nil {
			made.answer = (&chain{}).ask(quantity)
		}
		made.leaveOut()
		all = append(all, made)
	}
	for _, text := range []string{ // Kubernetes was not asked
		"1e1000001", "1e-1000001", "1e999999999", "1E-2147483648", "1e2147483647", "-1e2147483648", "0e999999999", "1.5e3000000000", "1e-999999999",
		strings.Repeat("9", mostBytes+1), strings.Repeat("0", mostBytes+1), "0." + strings.Repeat("1", mostBytes-1), strings.Repeat("1", mostBytes-1) + "Ki",
	} {
		all = append(all, testCase{Text: &text, Limit: true, answer: answer{Refused: true}})
	}
	return all
}

func random(seed int64, count int, textsPath, answersPath string) {
	m := &maker{Rand: rand.New(rand.NewSource(seed)), wild: true}
	textsFile, err := os.Create(textsPath)
	if err != nil {
		panic(err)
	}
	answersFile, err := os.Create(answersPath)
	if err != nil {
		panic(err)
	}
	texts, answers := bufio.NewWriter(textsFile), bufio.NewWriter(answersFile)
	var links chain
	for done := 0; done < count; {
		for _, text := range m.group() {
			line, _ := json.Marshal(links.askText(text))
			fmt.Fprintf(texts, "%d:%s\n", len(text), text)
			answers.Write(append(line, '\n'))
			done++
		}
	}
	texts.Flush()
	answers.Flush()
}

func main() {
	if len(os.Args) == 6 && os.Args[1] == "random" {
		seed, _ := strconv.ParseInt(os.Args[2], 10, 64)
		count, _ := strconv.Atoi(os.Args[3])
		random(seed, count, os.Args[4], os.Args[5])
		return
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for _, one := range cases() {
		if err := out.Encode(one); err != nil {
			panic(err)
		}
	}
}
