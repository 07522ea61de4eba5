import { Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Breakable } from '../breakable.tsx';

/** The id of the element that holds the screen. */
export const CONTENT_ID = 'content';

/** Moves the focus to the title of the screen, unless the content has it. */
export const focusTitle = (): void => {
  const content = document.getElementById(CONTENT_ID);
  if (content === null || content.contains(document.activeElement)) return;
  (content.querySelector('h1') ?? content).focus({ preventScroll: true });
};

/**
 * The title of the screen and of the window. If the content has the focus, as after following a link, the title takes
 * it, so that screen readers announce it.
 */
export const PageTitle = ({ title }: { title: string }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Cuevault`;
  }, [title]);
  useEffect(() => {
    if (document.activeElement?.id === CONTENT_ID) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Title ref={heading} order={1} tabIndex={-1} className="cv-break cv-title">
      <Breakable text={title} />
    </Title>
  );
};
