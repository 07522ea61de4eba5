import { firstWordIn, isOfBlock } from '../../../../../contract/content/blocks.ts';
import { FRAGMENT } from '../../../../../contract/content/fragments.ts';
import { PLACEHOLDER } from '../../../../../contract/content/templates.ts';

// Three braces; braces around nothing, around several words, or single ones around a name. JSON has quotes or blanks in between.
const STRAY = /\{\{\{[^{}]*\}\}\}|\{\{[^{}]*\}\}|\{[\p{L}_][\p{L}\p{N}_.-]*\}/gu;

/**
 * The stretches of a template in braces that are neither placeholders nor fragments, in order: conditions and loops, a
 * placeholder in three braces, and others such as `{{ a b }}` and `{x}`.
 */
export const strayBracesOf = (template: string) => {
  const blank = (found: string) => ' '.repeat(found.length);
  const others = template
    .replace(FRAGMENT, blank)
    .replace(PLACEHOLDER, (found, name: string, at: number) =>
      isOfBlock(name) || (template[at - 1] === '{' && template[at + found.length] === '}')
        ? found
        : blank(found),
    );
  return Array.from(others.matchAll(STRAY), ({ 0: text, index }) => {
    const kind = text.startsWith('{{{') ? 'three' : isOfBlock(firstWordIn(text)) ? 'block' : 'other';
    return { text, at: index, kind } as const;
  });
};
