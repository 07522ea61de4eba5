import { Fragment } from 'react';

/** A name that may wrap after `/`, `-`, `_`, `.` and `@`. */
export const Breakable = ({ text }: { text: string }) => {
  const parts = text.split(/(?<=[/\-_.@])/);
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part has no identity other than its index
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
};
