package inspect

import (
	"encoding/xml"
	"strings"
)

// allowedElements of the SVG namespace are those that draw, and the containers, paints and
// animations that drawing needs, each between spaces. Never: script, foreignObject, handler,
// iframe, audio, video and whatever comes next.
const allowedElements = " svg g defs symbol use a switch view title desc style" +
	" path rect circle ellipse line polyline polygon image text tspan textPath" +
	" linearGradient radialGradient stop pattern clipPath mask marker" +
	" animate animateMotion animateTransform set mpath" +
	" filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight" +
	" feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight" +
	" feSpecularLighting feSpotLight feTile feTurbulence "

func isAllowed(element string) bool { return strings.Contains(allowedElements, " "+element+" ") }

// cleanAttribute gives the name and value under which an attribute is written; false when it is
// dropped.
func cleanAttribute(element string, attribute xml.Attr) (name, value string, ok bool) {
	name, value = attribute.Name.Local, attribute.Value
	lower := strings.ToLower(name)
	if !isPlainName(name) || strings.HasPrefix(lower, "on") || lower == "xmlns" || lower == "base" {
		return "", "", false
	}
	switch attribute.Name.Space {
	case "":
	case xlinkNamespace:
		name = "xlink:" + name
	case xmlNamespace:
		name = "xml:" + name
	default: // of drawing programs
		return "", "", false
	}
	switch {
	case lower == "href" || lower == "src":
		return name, value, isLocalReference(element, value)
	case lower == "style":
		value = cleanCSS(value)
		return name, value, value != ""
	}
	return name, value, !isActive(value) && isHarmlessCSS(value)
}

// isPlainName keeps out a colon above all: prefixes are written by cleanAttribute alone.
func isPlainName(name string) bool {
	return strings.Trim(name,
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-") == "" &&
		!strings.Contains("0123456789.-", name[:1])
}

// isLocalReference accepts a part of the same drawing, and on images an embedded raster image.
func isLocalReference(element, reference string) bool {
	reference = strings.TrimSpace(reference)
	if strings.HasPrefix(reference, "#") {
		return true
	}
	return (element == "image" || element == "feImage") &&
		cssRules().embedded.MatchString(strings.Join(strings.Fields(reference), ""))
}

// animatesReference reports whether an animation would set a reference or a handler, which its own
// attributes do not show.
func animatesReference(element xml.StartElement) bool {
	for _, attribute := range element.Attr {
		if attribute.Name.Local != "attributeName" {
			continue
		}
		target := strings.ToLower(strings.TrimSpace(attribute.Value))
		if i := strings.LastIndexByte(target, ':'); i >= 0 {
			target = target[i+1:]
		}
		if target == "href" || target == "src" || target == "style" || strings.HasPrefix(target, "on") {
			return true
		}
	}
	return false
}

// isActive finds a scheme that runs, however it is spaced.
func isActive(value string) bool {
	if !strings.Contains(value, ":") {
		return false
	}
	value = lowerASCII(strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, value))
	return strings.Contains(value, "javascript:") || strings.Contains(value, "vbscript:") ||
		strings.Contains(value, "data:text/")
}
