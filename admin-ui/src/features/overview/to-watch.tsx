import { Box, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { metricsQuery } from '../../api/queries.ts';
import { refusalText } from '../../components/audit/audit-words.ts';
import { counted } from '../../components/count.ts';
import {
  KeyLink,
  PromptLink,
  ReviewPanel,
  ReviewRow,
  SecretLink,
} from '../../components/layout/review-panel.tsx';
import { TextLink } from '../../components/link.tsx';
import { Small } from '../../components/small.tsx';
import { DayText, When } from '../../components/when.tsx';
import { isOverdue } from '../secrets/rotation/rotation.ts';
import type { Overview } from './overview-queries.ts';
import { isDead, refusalsByReason } from './refusals.ts';

const IDLE_DAYS = 30;

/** What is checked, with what needs somebody: panels of these, and one line for the rest. */
const CHECKS: readonly {
  readonly name: string;
  readonly count: (overview: Overview) => number;
  readonly Found: (overview: Overview) => ReactNode;
}[] = [
  {
    name: 'failing calls',
    count: ({ failingPrompts }) => failingPrompts.length,
    Found: (overview) => <FailingPrompts {...overview} />,
  },
  {
    name: 'refused calls of known keys',
    count: ({ refused }) => refused.length,
    Found: (overview) => <RefusedCalls {...overview} />,
  },
  {
    name: `API keys that expire within 14 days or were not used for ${IDLE_DAYS}`,
    count: (overview) => keysOf(overview).length,
    Found: (overview) => <KeysToWatch keys={keysOf(overview)} />,
  },
  {
    name: 'secrets to rotate within 14 days',
    count: ({ secretsToRotate: { total } }) => total,
    Found: ({ secretsToRotate }) => (
      <Secrets title="Secrets to rotate" found={secretsToRotate} search={{ rotate: 'soon' }}>
        {({ rotateBy }) => (
          <>
            {isOverdue(rotateBy, new Date()) ? 'overdue since' : 'by'} <DayText day={rotateBy} />
          </>
        )}
      </Secrets>
    ),
  },
  {
    name: 'unfinished rotations',
    count: ({ unfinishedRotations: { total } }) => total,
    Found: ({ unfinishedRotations }) => (
      <Secrets title="Unfinished rotations" found={unfinishedRotations} search={{ rotate: 'unfinished' }}>
        {({ changedAt }) => (
          <>
            new value <When at={changedAt} short />
          </>
        )}
      </Secrets>
    ),
  },
  {
    name: `secrets not read for ${IDLE_DAYS} days`,
    count: ({ unreadSecrets: { total } }) => total,
    Found: ({ unreadSecrets }) => (
      <Secrets
        title={`Secrets not read for ${IDLE_DAYS} days`}
        found={unreadSecrets}
        search={{ read: 'no' }}
      />
    ),
  },
];

/** What needs somebody, if something does, and what was checked besides. */
export const ToWatch = (overview: Overview) => {
  const found = CHECKS.filter(({ count }) => count(overview) > 0);
  const fine = CHECKS.filter((check) => !found.includes(check)).map(({ name }) => name);
  return (
    <>
      {found.length > 0 && (
        <SimpleGrid cols={{ base: 1, md: found.length > 1 ? 2 : 1 }} spacing="md">
          {found.map(({ name, Found }) => (
            <Found key={name} {...overview} />
          ))}
        </SimpleGrid>
      )}
      {overview.isInUse && fine.length > 0 && <Small>Nothing to do: no {fine.join(', no ')}.</Small>}
    </>
  );
};

/** Prompts whose calls fail. */
const FailingPrompts = ({ failingPrompts }: Pick<Overview, 'failingPrompts'>) => (
  <ReviewPanel title="Failing calls" count={failingPrompts.length}>
    {failingPrompts.map(({ promptId, name, failing }) => (
      <ReviewRow
        key={promptId}
        link={
          <>
            <PromptLink {...{ promptId, name }} />
            <Small>
              {counted(
                failing.reduce((sum, { calls }) => sum + calls, 0),
                'call',
              )}{' '}
              failed, first <When at={failing.map(({ since }) => since).sort()[0] ?? ''} short />, from{' '}
              {[...new Set(failing.map(({ apiKeyName }) => apiKeyName))].join(', ')}: {failing[0]?.reason}.
            </Small>
          </>
        }
      />
    ))}
  </ReviewPanel>
);

type Key = Overview['unusedKeys'][number];

const keysOf = ({ expiringKeys, unusedKeys }: Pick<Overview, 'expiringKeys' | 'unusedKeys'>): Key[] => {
  const expiring = new Set(expiringKeys.map(({ keyId }) => keyId));
  return [...expiringKeys, ...unusedKeys.filter(({ keyId }) => !expiring.has(keyId))];
};

/** API keys that expire soon or are unused. */
const KeysToWatch = ({ keys }: { keys: readonly Key[] }) => (
  <ReviewPanel title="API keys to review" count={keys.length}>
    {keys.map((key) => (
      <ReviewRow key={key.keyId} link={<KeyLink {...key} />}>
        {key.expiresAt && (
          <>
            expires <When at={key.expiresAt} short />,{' '}
          </>
        )}
        {key.lastUsedAt === null ? (
          'no successful call yet'
        ) : (
          <>
            last used <When at={key.lastUsedAt} short />
          </>
        )}
      </ReviewRow>
    ))}
  </ReviewPanel>
);

/**
 * The calls that were refused, which the applications that made them may not report: by reason, with the known keys.
 * Keys that no longer work but are still sent come first.
 */
export const RefusedCalls = ({ refused }: Pick<Overview, 'refused'>) => {
  const { data, isSuccess, isError } = useQuery(metricsQuery);
  const reasons = refusalsByReason(refused, data?.refused);
  const total = reasons.reduce((sum, { calls }) => sum + calls, 0);
  return (
    <ReviewPanel
      title="Refused in the last 24 hours"
      {...(total > 0 && { count: total })}
      nothing={reasons.length === 0 && isSuccess && 'No call was refused.'}
      actions={
        refused.length > 0 && (
          <TextLink to="/audit" search={{ kind: 'refusal', period: '7' }} size="xs">
            Show all
          </TextLink>
        )
      }
    >
      {reasons.map(({ reason, calls, keys }) => (
        <Fragment key={reason}>
          <ReviewRow
            link={
              <Text span inherit fw={600} {...(isDead({ reason }) && { c: 'amber' })}>
                {refusalText(reason)}
              </Text>
            }
          >
            {calls > 0 && counted(calls, 'call')}
          </ReviewRow>
          {keys.map((key) => (
            <RefusedKey key={key.keyId} {...key} />
          ))}
        </Fragment>
      ))}
      {isError && <Small component="li">The number of calls could not be read.</Small>}
    </ReviewPanel>
  );
};

type Refused = Overview['refused'][number];

const RefusedKey = ({ minutes, lastAt, asked, ...key }: Refused) => (
  <ReviewRow
    link={
      <Box pl="md">
        <KeyLink {...key} />
        {isDead(key) && <StillSent {...key} />}
      </Box>
    }
  >
    <span title={asked && `Last asked for ${asked}`}>
      in {counted(minutes, 'minute')}, last <When at={lastAt} short />
    </span>
  </ReviewRow>
);

const StillSent = ({ keyId, reason }: Pick<Refused, 'keyId' | 'reason'>) => (
  <Text size="xs">
    Something still sends it: {reason === 'expired' && 'rotate it, or '}
    <TextLink to="/audit" search={{ kind: 'refusal', actor: keyId, period: '7' }} inherit underline="always">
      find out who
    </TextLink>
    .
  </Text>
);

interface SecretsProps<Found> {
  readonly title: string;
  readonly found: { readonly total: number; readonly first: readonly Found[] };
  readonly search: { readonly rotate?: 'soon' | 'unfinished'; readonly read?: 'no' };
  /** What is said of each. */
  readonly children?: (secret: Found) => ReactNode;
}

const Secrets = <Found extends Overview['unreadSecrets']['first'][number]>({
  title,
  found: { total, first },
  search,
  children,
}: SecretsProps<Found>) => (
  <ReviewPanel
    title={title}
    count={total}
    actions={
      total > first.length && (
        <TextLink to="/secrets" search={search} size="xs">
          Show all
        </TextLink>
      )
    }
  >
    {first.map((secret) => (
      <ReviewRow key={secret.secretId} link={<SecretLink secret={secret} />}>
        {children?.(secret)}
      </ReviewRow>
    ))}
  </ReviewPanel>
);
