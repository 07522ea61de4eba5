import { Fragment } from 'react';
import { PLACEHOLDER } from '../../../../../contract/templates.ts';
import classes from '../try-it/compiled-text.module.css';

/** The text of a template to read, with its placeholders marked. */
export const TemplateText = ({ text, label }: { text: string; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
  <section className={classes.text} tabIndex={0} aria-label={label}>
    <MarkedText text={text} />
  </section>
);

/** The same without a frame. */
export const MarkedText = ({ text }: { text: string }) => {
  const found = Array.from(text.matchAll(PLACEHOLDER), ({ 0: placeholder, index }) => ({
    placeholder,
    index,
  }));
  return (
    <>
      {found.map(({ placeholder, index }, at) => (
        <Fragment key={index}>
          {text.slice(endOf(found[at - 1]), index)}
          <mark className={classes.placeholder}>{placeholder}</mark>
        </Fragment>
      ))}
      {text.slice(endOf(found.at(-1)))}
    </>
  );
};

const endOf = (found: { placeholder: string; index: number } | undefined): number =>
  found === undefined ? 0 : found.index + found.placeholder.length;
