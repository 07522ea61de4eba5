// Cuevault has no conditions or loops: what looks like one in a template is text.

/** Whether a name in braces is part of a condition or a loop in Handlebars and Mustache, such as `#if`, `else` and `/if`. */
export const isOfBlock = (name: string): boolean => /^[#^/]|^else$/.test(name);

/** The first word between braces. */
export const firstWordIn = (braces: string): string => braces.slice(2, -2).trim().split(/\s/, 1)[0] ?? '';

const NAMED_BLOCKS = 3;

/** What most likely means something else than its author thinks, in these templates, as one sentence; undefined if nothing. */
export const hintOn = (templates: readonly string[]): string | undefined => {
  const braces = templates.flatMap((each) => each.match(/\{\{[^{}]*\}\}/g) ?? []);
  const blocks = [...new Set(braces.filter((each) => isOfBlock(firstWordIn(each))))];
  if (blocks.length === 0) return undefined;
  const others = blocks.length > NAMED_BLOCKS ? ', …' : '';
  return `Cuevault has no conditions or loops; this is sent as text: ${blocks.slice(0, NAMED_BLOCKS).join(', ')}${others}.`;
};
