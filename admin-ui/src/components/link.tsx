import { Anchor, type AnchorProps, Button, type ButtonProps, Group } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { EnvironmentMark, type SecretRef, secretPage } from './environments.tsx';
import { Panel, type PanelProps } from './layout/panel.tsx';
import { Row, Small } from './small.tsx';

/** A panel with a list. */
export const ReviewPanel = ({ children, ...panel }: PanelProps) => (
  <Panel {...panel}>
    <ul className="cv-list cv-rows">{children}</ul>
  </Panel>
);

/** An item of a list, with what is said of it at the right. */
export const ReviewRow = ({ link, children }: { link: ReactNode; children?: ReactNode }) => (
  <Row component="li" align="baseline" py="0.36rem">
    <span className="cv-grow">{link}</span>
    {children && (
      <Small span ta="right">
        {children}
      </Small>
    )}
  </Row>
);

export const PromptLink = ({ promptId, name }: { readonly promptId: string; readonly name: string }) => (
  <TextLink to="/prompts/$promptId" params={{ promptId }} size="sm">
    {name}
  </TextLink>
);

interface KeyLinkProps {
  readonly keyId: string;
  readonly name: string;
  /** Whether it stands in a sentence, where color alone would not tell a link. */
  readonly isInText?: boolean;
}

export const KeyLink = ({ keyId, name, isInText = false }: KeyLinkProps) => (
  <TextLink
    to="/api-keys/$keyId"
    params={{ keyId }}
    size="sm"
    className="cv-break"
    {...(isInText && { underline: 'always' })}
  >
    {name}
  </TextLink>
);

/** A secret, and its environment if there are several. */
export const SecretLink = ({ secret }: { readonly secret: SecretRef & { readonly key: string } }) => (
  <Group gap={6}>
    <TextLink {...secretPage(secret)} size="sm" className="cv-mono">
      {secret.key}
    </TextLink>
    <EnvironmentMark name={secret.environment} />
  </Group>
);

export type Native<Props> = Omit<ComponentPropsWithRef<'a'>, keyof Props>;

export const TextLink = createLink((props: AnchorProps & Native<AnchorProps>) => <Anchor {...props} />);

export const ButtonLink = createLink((props: ButtonProps & Native<ButtonProps>) => (
  <Button component="a" {...props} />
));
