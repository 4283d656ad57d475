package inspect

import (
	"encoding/xml"
	"strings"
)

// allowedElements of the SVG namespace draw, or are containers, paints and animations for drawing;
// each is between spaces. Elements such as script, foreignObject, handler, iframe, audio and video
// are not in the list, nor is anything new.
const allowedElements = " svg g defs symbol use a switch view title desc style" +
	" path rect circle ellipse line polyline polygon image text tspan textPath" +
	" linearGradient radialGradient stop pattern clipPath mask marker" +
	" animate animateMotion animateTransform set mpath" +
	" filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting " +
	"feDisplacementMap feDistantLight" +
	" feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology " +
	"feOffset fePointLight" + " feSpecularLighting feSpotLight feTile feTurbulence "

func isAllowed(element string) bool { return strings.Contains(allowedElements, " "+element+" ") }

// cleanAttribute returns the name and value with which an attribute is written; ok is false if it
// is dropped.
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
	default: // private attributes of drawing programs
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

// isPlainName reports whether a name is safe to write. Above all it has no colon: only
// cleanAttribute writes prefixes.
func isPlainName(name string) bool {
	return strings.Trim(name,
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-") == "" &&
		!strings.Contains("0123456789.-", name[:1])
}

// isLocalReference accepts a reference to a part of the same drawing and, on images, an embedded
// raster image.
func isLocalReference(element, reference string) bool {
	reference = strings.TrimSpace(reference)
	if strings.HasPrefix(reference, "#") {
		return true
	}
	return (element == "image" || element == "feImage") &&
		cssRules().embedded.MatchString(strings.Join(strings.Fields(reference), ""))
}

// animatesReference reports whether an animation sets a reference or a handler. The attributes of
// the animated element do not show that.
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

// isActive reports whether a value has a scheme that runs code, with any spacing.
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
