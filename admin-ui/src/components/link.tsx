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

/** The page of a prompt. */
export const promptPage = (promptId: string) => ({ to: '/prompts/$promptId', params: { promptId } }) as const;

/** The page of an API key. */
export const keyPage = (keyId: string) => ({ to: '/api-keys/$keyId', params: { keyId } }) as const;

export const PromptLink = ({ promptId, name }: { readonly promptId: string; readonly name: string }) => (
  <TextLink {...promptPage(promptId)}>{name}</TextLink>
);

export const KeyLink = ({ keyId, name }: { readonly keyId: string; readonly name: string }) => (
  <TextLink {...keyPage(keyId)} className="cv-break">
    {name}
  </TextLink>
);

/** A secret, and its environment if there are several. */
export const SecretLink = ({ secret }: { readonly secret: SecretRef & { readonly key: string } }) => (
  <Group gap={6}>
    <TextLink {...secretPage(secret)} className="cv-mono">
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
