import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

export type Native<Props> = Omit<ComponentPropsWithRef<'a'>, keyof Props>;

export const TextLink = createLink((props: AnchorProps & Native<AnchorProps>) => <Anchor {...props} />);

export const ButtonLink = createLink((props: ButtonProps & Native<ButtonProps>) => (
  <Button component="a" {...props} />
));
