const STRUCTURE = "svg g defs symbol use switch a view title desc metadata style";
const SHAPES = "path rect circle ellipse line polyline polygon image";
const TEXTS = "text tspan tref textPath altGlyph altGlyphDef altGlyphItem glyphRef";
/** Of fonts and colours that SVG 1.1 had, and of the flowed text that one well-known editor writes. */
const OLDER = `font font-face font-face-src font-face-uri font-face-format font-face-name glyph missing-glyph hkern vkern
  color-profile cursor flowRoot flowRegion flowRegionExclude flowDiv flowPara flowSpan flowLine`;
const PAINT = `linearGradient radialGradient meshgradient mesh meshrow meshpatch stop pattern hatch hatchpath solidcolor
  solidColor marker clipPath mask`;
const FILTERS = `filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
  feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge
  feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`;
const MOTION = "animate animateColor animateMotion animateTransform mpath set";

/**
 * The elements that a picture is made of: those of SVG without scripts, pages, sound and film.
 *
 * @source https://www.w3.org/TR/SVG11/eltindex.html
 * @source https://www.w3.org/TR/SVG2/eltindex.html
 * @source https://www.w3.org/TR/filter-effects-1/
 */
export const PICTURE_ELEMENTS: ReadonlySet<string> = new Set(
  [STRUCTURE, SHAPES, TEXTS, OLDER, PAINT, FILTERS, MOTION].join(" ").split(/\s+/),
);
