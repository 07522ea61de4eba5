import { Anchor, type AnchorProps, Button, type ButtonProps, type PaperProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';
import { Framed } from './small.tsx';

type Native<Props> = Omit<ComponentPropsWithRef<'a'>, keyof Props>;

export const TextLink = createLink((props: AnchorProps & Native<AnchorProps>) => <Anchor {...props} />);

export const ButtonLink = createLink((props: ButtonProps & Native<ButtonProps>) => (
  <Button component="a" {...props} />
));

export const FrameLink = createLink((props: PaperProps & Native<PaperProps>) => (
  <Framed component="a" {...props} />
));
