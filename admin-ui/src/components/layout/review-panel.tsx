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
  readonly children: ReactNode;
}

export const ReviewPanel = ({ title, count, nothing, actions, children }: ReviewPanelProps) => (
  <Panel title={title} count={count} actions={actions} nothing={count === 0 && nothing}>
    <ul className="cv-list cv-rows">{children}</ul>
  </Panel>
);

interface ReviewRowProps {
  readonly link: ReactNode;
  readonly reason?: ReactNode;
}

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

export const SecretLink = ({ secretId, name }: { secretId: string; name: string }) => (
  <TextLink to="/secrets/$secretId" params={{ secretId }} size="sm" className="cv-mono">
    {name}
  </TextLink>
);
