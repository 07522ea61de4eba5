import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Small } from '../small.tsx';
import classes from './fold.module.css';

interface FoldProps {
  readonly title: string;
  /** What is inside, in a few words. */
  readonly summary?: ReactNode;
  /** Whether it is open at first. @default false */
  readonly startsOpen?: boolean;
  /** Whether it opens because of something inside that needs attention. */
  readonly isWanted?: boolean;
  readonly children: ReactNode;
}

/** A part that is closed until it is wanted. */
export const Fold = ({ title, summary, startsOpen = false, isWanted = false, children }: FoldProps) => {
  const [isOpen, setIsOpen] = useState(startsOpen);
  return (
    <details
      className={classes.fold}
      open={isOpen || isWanted}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>
        <Text span fw={600}>
          {title}
        </Text>
        {summary && <Small>{summary}</Small>}
      </summary>
      <div className={classes.content}>{children}</div>
    </details>
  );
};
