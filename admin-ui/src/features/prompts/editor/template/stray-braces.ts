import { FRAGMENT } from '../../../../../../contract/content/fragments.ts';
import { PLACEHOLDER } from '../../../../../../contract/templates.ts';

// Braces around nothing, around several words, or single ones around a name. JSON has quotes or blanks in between.
const STRAY = /\{\{[^{}]*\}\}|\{[\p{L}_][\p{L}\p{N}_.-]*\}/gu;

/** The stretches of a template in braces that are neither placeholders nor fragments, such as `{{ a b }}` and `{x}`, in order. */
export const strayBracesOf = (template: string) => {
  const blank = (found: string) => ' '.repeat(found.length);
  const others = template.replace(PLACEHOLDER, blank).replace(FRAGMENT, blank);
  return Array.from(others.matchAll(STRAY), ({ 0: text, index }) => ({ text, at: index }));
};
