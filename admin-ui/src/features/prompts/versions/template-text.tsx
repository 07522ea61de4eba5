import type { ReactNode } from 'react';
import { visible } from '../../../../../contract/content/visible.ts';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import { partsOf } from '../try-it/text-parts.ts';
import classes from './template-text.module.css';

interface MarkedTextProps {
  readonly text: string;
  /** What takes the place of the placeholders, also marked. */
  readonly values?: JsonObject;
}

/** The text of a template with its placeholders marked, and characters that would hide as escapes. */
export const MarkedText = ({ text, values }: MarkedTextProps) =>
  partsOf(text, values ?? {}).map(({ kind, text: part, at }) =>
    kind === 'text' ? (
      visible(part)
    ) : (
      <mark key={at} className={values ? classes[kind] : classes.placeholder}>
        {visible(part)}
      </mark>
    ),
  );

/** The text of a message, framed. */
export const MessageText = ({ children }: { children: ReactNode }) => (
  <div className={`${classes.text} ${classes.message}`}>{children}</div>
);

/** A template with its placeholders marked, framed. */
export const TemplateText = ({ label, ...marked }: MarkedTextProps & { readonly label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
  <section className={`${classes.text} ${classes.frame}`} tabIndex={0} aria-label={label}>
    <MarkedText {...marked} />
  </section>
);
