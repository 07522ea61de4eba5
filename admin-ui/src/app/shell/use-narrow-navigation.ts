import { useDidUpdate, useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useLocation } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef } from 'react';

const NARROW = '(width < 48em)';

/**
 * In narrow windows the navigation is either hidden (`isAway`) or covers the page (`isOver`). The focus moves to
 * `closer` when it opens and to `opener` when it closes.
 */
export const useNarrowNavigation = () => {
  const [opened, { open, close }] = useDisclosure();
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const { pathname } = useLocation();
  const opener = useRef<HTMLButtonElement>(null);
  const closer = useRef<HTMLButtonElement>(null);
  const isOver = isNarrow && opened;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes whenever another screen is shown
  useEffect(close, [pathname]);
  useDidUpdate(() => (isOver ? closer : opener).current?.focus(), [isOver]);
  const onKeyDown = ({ key, target, currentTarget }: KeyboardEvent<HTMLElement>) => {
    // Menus of the navigation are elsewhere in the page and close by themselves.
    if (key === 'Escape' && target instanceof Node && currentTarget.contains(target)) close();
  };
  return { opened, open, close, onKeyDown, opener, closer, isOver, isAway: isNarrow && !opened };
};
