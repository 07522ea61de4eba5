import { Fragment } from 'react';

/** A name that may wrap after `/`, `-`, `_` and `.`. */
export const Breakable = ({ text }: { text: string }) => {
  const parts = text.split(/(?<=[/\-_.])/);
  return parts.map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other name than its place
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ));
};
