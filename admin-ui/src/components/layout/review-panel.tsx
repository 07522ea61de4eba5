import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { EnvironmentMark, type SecretRef, secretPage } from '../environments.tsx';
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

interface Named {
  readonly name: string;
}

export const PromptLink = ({ promptId, name }: Named & { readonly promptId: string }) => (
  <TextLink to="/prompts/$promptId" params={{ promptId }} size="sm">
    {name}
  </TextLink>
);

/** A secret, and its environment if there are several. */
export const SecretLink = ({ name, ...secret }: Named & SecretRef) => (
  <Group gap={6}>
    <TextLink {...secretPage(secret)} size="sm" className="cv-mono">
      {name}
    </TextLink>
    <EnvironmentMark name={secret.environment} />
  </Group>
);
