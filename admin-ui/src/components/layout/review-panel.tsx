import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DEFAULT_ENVIRONMENT } from '../../../../contract/fields/patterns.ts';
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

interface SecretLinkProps {
  readonly secretId: string;
  readonly name: string;
  readonly environment: string;
}

/** A secret of `default`, which has a page; of another environment, its name and the environment. */
export const SecretLink = ({ secretId, name, environment }: SecretLinkProps) =>
  environment === DEFAULT_ENVIRONMENT ? (
    <TextLink to="/secrets/$secretId" params={{ secretId }} size="sm" className="cv-mono">
      {name}
    </TextLink>
  ) : (
    <Text size="sm">
      <span className="cv-mono">{name}</span> in {environment}
    </Text>
  );
