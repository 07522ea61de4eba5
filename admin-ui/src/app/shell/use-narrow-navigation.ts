import { useDidUpdate, useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useLocation } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef } from 'react';

const NARROW = '(width < 48em)';

/**
 * In narrow windows the navigation is either away or lies over everything else: `isAway` and `isOver`. The focus goes
 * to `closer` when it opens and to `opener` when it closes.
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
    // What opens out of the navigation lies elsewhere in the page, and closes by itself.
    if (key === 'Escape' && target instanceof Node && currentTarget.contains(target)) close();
  };
  return { opened, open, close, onKeyDown, opener, closer, isOver, isAway: isNarrow && !opened };
};
