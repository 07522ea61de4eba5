import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRole } from '../../api/session-context.tsx';
import { refusalText } from '../../components/audit/audit-words.ts';
import { counted, times } from '../../components/count.ts';
import { Facts } from '../../components/layout/facts.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { ReviewPanel, ReviewRow, SecretLink } from '../../components/layout/review-panel.tsx';
import { Screen } from '../../components/layout/screen.tsx';
import { TextLink } from '../../components/link.tsx';
import { QueryBoundary } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { Expiry, KeyStatus, permissionsText, RefusedText } from './api-keys-columns.tsx';
import { KeyActions } from './key-actions.tsx';
import { type KeyDetails, type KeyRow, keyQuery } from './key-queries.ts';
import { type Reach, reachOf } from './key-texts.ts';
import { RotateRead } from './rotate-read.tsx';

const route = getRouteApi('/api-keys/$keyId');

/** One API key: what it may read, what it did read, and why it was refused. */
export const ApiKeyScreen = () => {
  const { keyId } = route.useParams();
  const { can } = useRole();
  const details = useQuery(keyQuery(keyId));
  return (
    <QueryBoundary query={details}>
      {(found) => (
        <Screen
          title={found.key.name}
          above={<TextLink to="/api-keys">API keys</TextLink>}
          beside={<KeyStatus {...found.key} />}
          actions={can('admin') && found.key.status !== 'revoked' && <KeyActions row={found.key} />}
        >
          <Stack gap="md">
            {found.key.revokedAt !== undefined && (
              <RotateRead read={found.read} since={found.key.revokedAt} />
            )}
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <Access details={found} />
              <KeyFacts apiKey={found.key} />
              <Fetched details={found} />
              <Read details={found} />
              <Refusals refused={found.refused} />
            </SimpleGrid>
          </Stack>
        </Screen>
      )}
    </QueryBoundary>
  );
};

interface DetailsProps {
  readonly details: KeyDetails;
}

const Access = ({ details: { key, prompts, secrets } }: DetailsProps) => (
  <Panel title="Access">
    <Facts
      facts={[
        ['May', permissionsText(key.permissions)],
        ...(key.labels === undefined ? [] : [['Can move', key.labels.join(', ')] as const]),
        ['Prompts', <ReachText key="prompts" {...reachOf('prompt', prompts, key.prompts)} />],
        ['Secrets', <ReachText key="secrets" {...reachOf('secret', secrets, key.tags)} />],
        [
          'From',
          <ReachText
            key="from"
            text={key.cidrs.length === 0 ? 'any address' : key.cidrs.join(', ')}
            isWide={key.cidrs.length === 0}
          />,
        ],
      ]}
    />
  </Panel>
);

const ReachText = ({ text, isWide }: Reach) => (
  <Text span inherit {...(isWide && { c: 'var(--mantine-color-amber-text)' })}>
    {text}
  </Text>
);

const KeyFacts = ({ apiKey: key }: { apiKey: KeyRow }) => {
  const facts: [string, ReactNode][] = [
    ['Expires', <Expiry key="expires" {...key} />],
    [
      'Last used',
      <span key="used">
        {key.lastUsedAt === null ? 'never with success' : <When at={key.lastUsedAt} />}
        <RefusedText {...key} />
      </span>,
    ],
    [
      'Created',
      <span key="created">
        <When at={key.createdAt} /> by {key.createdBy}
      </span>,
    ],
    [
      'Id',
      <span key="id" className="cv-mono">
        {key.keyId}
      </span>,
    ],
    [
      'Audit',
      <span key="audit">
        <TextLink to="/audit" search={{ subject: key.keyId }} size="sm">
          its changes
        </TextLink>
        ,{' '}
        <TextLink to="/audit" search={{ kind: 'read', actor: key.keyId }} size="sm">
          its reads of secrets
        </TextLink>
        ,{' '}
        <TextLink to="/audit" search={{ kind: 'refusal', actor: key.keyId }} size="sm">
          its refusals
        </TextLink>
      </span>,
    ],
  ];
  return (
    <Panel title="Details">
      <Facts facts={facts} />
    </Panel>
  );
};

const within = ({ revokedAt }: KeyRow): string =>
  revokedAt === undefined ? 'in 30 days' : 'in the 30 days before';

const Fetched = ({ details: { fetched, key } }: DetailsProps) => (
  <ReviewPanel
    title={`Prompts fetched ${within(key)}`}
    count={fetched.length}
    nothing="It fetched no prompt."
  >
    {fetched.map(({ promptId, name, fetches, lastAt }) => (
      <ReviewRow
        key={promptId}
        link={
          <TextLink to="/prompts/$promptId" params={{ promptId }} size="sm">
            {name}
          </TextLink>
        }
        reason={
          <>
            {times(fetches)}, last <When at={lastAt} short />
          </>
        }
      />
    ))}
  </ReviewPanel>
);

const Read = ({ details: { read, key: apiKey } }: DetailsProps) => (
  <ReviewPanel title={`Secrets read ${within(apiKey)}`} count={read.length} nothing="It read no secret.">
    {read.map(({ secretId, key, reads, lastAt }) => (
      <ReviewRow
        key={secretId}
        link={<SecretLink secretId={secretId} name={key} />}
        reason={
          <>
            {times(reads)}, last <When at={lastAt} short />
          </>
        }
      />
    ))}
  </ReviewPanel>
);

const Refusals = ({ refused }: Pick<KeyDetails, 'refused'>) => (
  <ReviewPanel title="Refused in 7 days" count={refused.length} nothing="No call was refused.">
    {refused.map(({ reason, minutes, lastAt, asked }) => (
      <ReviewRow
        key={reason}
        link={refusalText(reason)}
        reason={
          <>
            in {counted(minutes, 'minute')}, last <When at={lastAt} short />
            {asked && ` for ${asked}`}
          </>
        }
      />
    ))}
  </ReviewPanel>
);
