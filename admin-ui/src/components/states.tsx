import { Anchor, Button, Center, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, useContext, useEffect, useEffectEvent, useState } from 'react';
import { ApiError, isDenied, messageOf, Unreachable } from '../api/api-error.ts';
import { ImportFailed, isUp, lazyImport } from '../api/lazy-import.ts';
import { useCan } from '../api/session-context.tsx';
import { PageTitle, Screen, type ScreenProps, WithinScreen } from './screen.tsx';

const QUIET_MS = 300;

/** Whether something has been running for more than 300 ms, so that quick actions show no loading indicator. */
export const useLate = (isGoingOn: boolean): boolean => {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isGoingOn) return setIsLate(false);
    const timer = setTimeout(() => setIsLate(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [isGoingOn]);
  return isLate;
};

/** A loading indicator that appears after 300 ms. */
export const Loading = ({ label = 'Loading' }: { label?: string }) => {
  const shown = useLate(true);
  return (
    <Center mih={160} role="status">
      {shown && (
        <Group gap="sm">
          <Loader size="sm" />
          <Text c="dimmed">{label}…</Text>
        </Group>
      )}
    </Center>
  );
};

/** A message instead of content that does not exist; outside a screen, it is the entire page. */
export const Notice = ({ title, children }: { title: string; children: ReactNode }) => (
  <Center py={48} px="md">
    <Stack gap="sm" maw="34rem" align="flex-start">
      {useContext(WithinScreen) ? <Title order={2}>{title}</Title> : <PageTitle title={title} />}
      {children}
    </Stack>
  </Center>
);

export const NotFound = ({ what = 'page' }: { what?: string }) => (
  <Notice title={`There is no such ${what}`}>
    <Text>It may have been deleted or renamed, or the address may be mistyped.</Text>
    <Anchor component={Link} to="/">
      Back to the overview
    </Anchor>
  </Notice>
);

/**
 * A screen for operators with a role.
 * @param to what only they may do, such as "import secrets"
 */
export const screenFor = (needs: keyof typeof WHO, to: string, Allowed: ComponentType) => (): ReactNode =>
  useCan()(needs) ? (
    <Allowed />
  ) : (
    <Refused>
      Only {WHO[needs].toLowerCase()} may {to}.
    </Refused>
  );

const WHO = { editor: 'Editors and administrators', admin: 'Administrators' };

interface ForRoleProps {
  needs: keyof typeof WHO;
  /** What only they can do, such as "add secrets". */
  to: string;
  children: ReactNode;
}

/** A control for operators with a role; others read who can. */
export const ForRole = ({ needs, to, children }: ForRoleProps) =>
  useCan()(needs) ? (
    children
  ) : (
    <Text c="dimmed">
      {WHO[needs]} can {to}.
    </Text>
  );

const Refused = ({ children }: { children: ReactNode }) => (
  <Notice title="You do not have permission">
    <Text>{children}</Text>
  </Notice>
);

/** For somebody who is no operator; `refusal` is the sentence of the service. */
export const NoRole = ({ email, refusal }: { email: string; refusal: string | undefined }) => (
  <Notice title="You have no role yet">
    <Text>
      You are signed in as <strong>{email || 'somebody without an address'}</strong>. {refusal}
    </Text>
  </Notice>
);

const LOOK_AGAIN_MS = 5_000;

/** Retries when a service that could not be reached answers again. */
const useComeback = (error: unknown, retry: () => void): void => {
  const run = useEffectEvent(retry);
  const isAway = error instanceof Unreachable;
  useEffect(() => {
    if (!isAway) return undefined;
    const timer = setInterval(() => void isUp().then((is) => is && run()), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isAway]);
};

export const ErrorState = ({ error, retry }: { error: unknown; retry: () => void }) => {
  useComeback(error, retry);
  if (error instanceof ApiError && error.status === 403) return <Refused>{messageOf(error)}</Refused>;
  if (error instanceof ImportFailed)
    return (
      <Notice title="Reload the page">
        <Text role="alert">
          Part of the page could not be loaded. The site was probably updated since you opened it.
        </Text>
        <Button onClick={() => location.reload()}>Reload</Button>
      </Notice>
    );
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Notice title="Something went wrong">
      <Text role="alert">{messageOf(error)}</Text>
      {requestId && (
        <Text c="dimmed">
          Request <span className="cv-mono">{requestId}</span>
        </Text>
      )}
      <Button variant="default" onClick={retry}>
        Try again
      </Button>
    </Notice>
  );
};

/** Shows the result or the error of a query, or `missing` if the resource does not exist. */
export const QueryBoundary = <Data,>({
  query,
  missing,
  frame,
  children,
}: {
  query: UseQueryResult<Data>;
  missing?: ReactNode;
  /** Of a screen that shows the result: what is known of it before that. It stays if the result is a `Screen` too. */
  frame?: Partial<ScreenProps>;
  children: (data: Data) => ReactNode;
}) => {
  // Earlier data stays visible after a failure, but not after the service has answered that it is gone.
  if (query.data !== undefined && !isDenied(query.error)) return children(query.data);
  if (query.isPending) {
    const loading = <Loading />;
    return frame ? <Screen {...frame}>{loading}</Screen> : loading;
  }
  if (missing !== undefined && query.error instanceof ApiError && query.error.status === 404) return missing;
  return <ErrorState error={query.error} retry={() => void query.refetch()} />;
};

let parts = 0;
const nextPart = () => {
  parts += 1;
  return parts;
};

/**
 * A component whose file is loaded when it is first shown; a failure is shown in its place. Not with `lazy`, which React
 * reveals only after 300 ms and whose failure replaces the screen.
 * @param load a file that exports it, and nothing else
 */
export const byNeed = <Props extends object>(
  load: () => Promise<Readonly<Record<string, ComponentType<Props>>>>,
): ComponentType<Props> => {
  const part = queryOptions({
    queryKey: ['part', nextPart()],
    queryFn: async () => Object.values(await lazyImport(load))[0] as ComponentType<Props>,
    // Loaded once: another component would take the place of one that holds input.
    staleTime: 'static',
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  return (props) => <QueryBoundary query={useQuery(part)}>{(Part) => <Part {...props} />}</QueryBoundary>;
};
