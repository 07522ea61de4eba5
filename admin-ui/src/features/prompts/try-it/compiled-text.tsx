import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import { partsOf } from './compiled-parts.ts';
import classes from './compiled-text.module.css';

/** A compiled text with inserted and missing values marked. */
export const CompiledText = ({ template, variables }: { template: string; variables: JsonObject }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
  <section className={classes.text} tabIndex={0} aria-label="Compiled text">
    {partsOf(template, variables).map(({ kind, text, at }) =>
      kind === 'text' ? (
        text
      ) : (
        <mark key={at} className={classes[kind]}>
          {text}
        </mark>
      ),
    )}
  </section>
);
