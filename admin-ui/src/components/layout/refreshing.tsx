import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLate } from '../use-late.ts';
import classes from './refreshing.module.css';

/** Shows that the content is about to be replaced, if that takes more than 300 ms. */
export const Refreshing = ({ when, children }: { when: boolean; children: ReactNode }) => {
  const shown = useLate(when);
  return (
    <div className={classes.frame} aria-busy={when}>
      {shown && <Loader size="sm" className={classes.sign ?? ''} aria-label="Loading" />}
      <div className={classes.content} data-old={shown}>
        {children}
      </div>
    </div>
  );
};
