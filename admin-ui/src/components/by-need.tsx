import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ComponentType, Fragment, type PropsWithChildren, useEffect, useRef } from 'react';
import { type LazyPart, lazyPart } from '../api/lazy-import.ts';
import { QueryBoundary } from './states.tsx';

/**
 * A component whose file is loaded when it is first shown; a failure is shown in its place. Not with `lazy`, which React
 * reveals only after 300 ms and whose failure replaces the screen.
 * @param name identifies the component
 * @param Frame shown around it once it is loaded
 */
export const byNeed = <Props extends object>(
  name: string,
  load: LazyPart<ComponentType<Props>>,
  Frame: ComponentType<PropsWithChildren> = Fragment,
): ComponentType<Props> => {
  const part = queryOptions({
    queryKey: ['part', name],
    queryFn: () => lazyPart(load),
    // Loaded once: another component would take the place of one that holds input.
    staleTime: 'static',
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  return (props) => (
    <QueryBoundary query={useQuery(part)}>
      {(Part) => (
        <Frame>
          <Part {...props} />
        </Frame>
      )}
    </QueryBoundary>
  );
};

const Focused = ({ children }: PropsWithChildren) => {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => host.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), []);
  return <div ref={host}>{children}</div>;
};

/** As `byNeed`, for the form of a dialog: focuses its field marked `data-autofocus`, which the dialog looks for too early. */
export const formByNeed = <Props extends object>(name: string, load: LazyPart<ComponentType<Props>>) =>
  byNeed(name, load, Focused);
