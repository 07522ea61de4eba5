import type { ReactNode } from 'react';
import { TextLink } from '../link.tsx';
import { Small } from '../small.tsx';
import { Panel } from './panel.tsx';
import classes from './review-panel.module.css';

export interface ReviewPanelProps {
  readonly title: string;
  readonly count: number;
  /** Shown if there is nothing to review. */
  readonly nothing: string;
  readonly actions?: ReactNode;
  /** `ReviewRow` elements. */
  readonly children: ReactNode;
}

/** A list of items to review. */
export const ReviewPanel = ({ title, count, nothing, actions, children }: ReviewPanelProps) => (
  <Panel title={title} count={count} actions={actions} nothing={count === 0 && nothing}>
    <ul className="cv-list cv-rows">{children}</ul>
  </Panel>
);

interface ReviewRowProps {
  /** A link to the item. */
  readonly link: ReactNode;
  /** Why it needs a review. */
  readonly reason?: ReactNode;
}

/** One item of a `ReviewPanel`. */
export const ReviewRow = ({ link, reason }: ReviewRowProps) => (
  <li className={classes.row}>
    <span className={classes.name}>{link}</span>
    {reason && (
      <Small span ta="right">
        {reason}
      </Small>
    )}
  </li>
);

/** A link to a secret. */
export const SecretLink = ({ secretId, name }: { secretId: string; name: string }) => (
  <TextLink to="/secrets/$secretId" params={{ secretId }} size="sm" className="cv-mono">
    {name}
  </TextLink>
);
