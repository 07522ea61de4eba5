import { Box, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { metricsQuery } from '../../api/queries.ts';
import { refusalText } from '../../components/audit/audit-words.ts';
import { counted } from '../../components/count.ts';
import { Panel } from '../../components/layout/panel.tsx';
import { ReviewPanel, ReviewRow, SecretLink } from '../../components/layout/review-panel.tsx';
import { TextLink } from '../../components/link.tsx';
import { Small } from '../../components/small.tsx';
import { DayText, When } from '../../components/when.tsx';
import { isOverdue } from '../secrets/rotation/rotation.ts';
import type { Overview } from './overview-queries.ts';
import { isDead, refusalsByReason } from './refusals.ts';

/** Prompts whose calls fail: shown only if there are some. */
export const FailingPrompts = ({ failingPrompts }: Pick<Overview, 'failingPrompts'>) =>
  failingPrompts.length > 0 && (
    <ReviewPanel title="Failing calls" count={failingPrompts.length} nothing="">
      {failingPrompts.map(({ promptId, name, failing }) => (
        <ReviewRow
          key={promptId}
          link={
            <>
              <TextLink to="/prompts/$promptId" params={{ promptId }} size="sm">
                {name}
              </TextLink>
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

/** API keys that expire soon or are unused. */
export const KeysToWatch = ({ expiringKeys, unusedKeys }: Pick<Overview, 'expiringKeys' | 'unusedKeys'>) => (
  <ReviewPanel
    title="API keys to review"
    count={expiringKeys.length + unusedKeys.length}
    nothing="No key expires within 14 days, and every key older than 30 days was used recently."
  >
    {expiringKeys.map((key) => (
      <ReviewRow
        key={`expiring ${key.keyId}`}
        link={<KeyLink {...key} />}
        reason={<>expires {key.expiresAt && <When at={key.expiresAt} short />}</>}
      />
    ))}
    {unusedKeys.map((key) => (
      <ReviewRow
        key={`unused ${key.keyId}`}
        link={<KeyLink {...key} />}
        reason={
          key.lastUsedAt === null ? (
            'no successful call yet'
          ) : (
            <>
              last used <When at={key.lastUsedAt} short />
            </>
          )
        }
      />
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
    <Panel
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
      <ul className="cv-list cv-rows">
        {reasons.map(({ reason, calls, keys }) => (
          <Fragment key={reason}>
            <ReviewRow
              link={
                <Text span inherit fw={600} {...(isDead({ reason }) && { c: 'amber' })}>
                  {refusalText(reason)}
                </Text>
              }
              reason={calls > 0 && counted(calls, 'call')}
            />
            {keys.map((key) => (
              <RefusedKey key={key.keyId} {...key} />
            ))}
          </Fragment>
        ))}
      </ul>
      {isError && <Small>The number of calls could not be read.</Small>}
    </Panel>
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
    reason={
      <span title={asked && `Last asked for ${asked}`}>
        in {counted(minutes, 'minute')}, last <When at={lastAt} short />
      </span>
    }
  />
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

const KeyLink = ({ keyId, name }: Pick<Key, 'keyId' | 'name'>) => (
  <TextLink to="/api-keys/$keyId" params={{ keyId }} size="sm">
    {name}
  </TextLink>
);

/** Secrets whose day of rotation is near or has passed. */
export const SecretsToRotate = ({ secretsToRotate: { total, first } }: Pick<Overview, 'secretsToRotate'>) => (
  <ReviewPanel
    title="Secrets to rotate"
    count={total}
    nothing="No secret with a “rotate by” date is due within 14 days."
    actions={
      total > first.length && (
        <TextLink to="/secrets" search={{ rotate: 'soon' }} size="xs">
          Show all
        </TextLink>
      )
    }
  >
    {first.map(({ environment, secretId, key, rotateBy }) => (
      <ReviewRow
        key={secretId}
        link={<SecretLink secretId={secretId} name={key} environment={environment} />}
        reason={
          <>
            {isOverdue(rotateBy, new Date()) ? 'overdue since' : 'by'} <DayText day={rotateBy} />
          </>
        }
      />
    ))}
  </ReviewPanel>
);

/** Secrets with a new value whose earlier credential may still work. */
export const UnfinishedRotations = ({
  unfinishedRotations: { total, first },
}: Pick<Overview, 'unfinishedRotations'>) => (
  <ReviewPanel
    title="Unfinished rotations"
    count={total}
    nothing="Every replaced credential is recorded as disabled."
    actions={
      total > first.length && (
        <TextLink to="/secrets" search={{ rotate: 'unfinished' }} size="xs">
          Show all
        </TextLink>
      )
    }
  >
    {first.map(({ environment, secretId, key, changedAt }) => (
      <ReviewRow
        key={secretId}
        link={<SecretLink secretId={secretId} name={key} environment={environment} />}
        reason={
          <>
            new value <When at={changedAt} short />
          </>
        }
      />
    ))}
  </ReviewPanel>
);

/** Secrets that no API key reads. */
export const UnreadSecrets = ({
  unreadSecrets: { total, first },
  totals,
}: Pick<Overview, 'unreadSecrets' | 'totals'>) => (
  <ReviewPanel
    title="Secrets not read for 30 days"
    count={total}
    nothing={totals.secrets === 0 ? 'No secrets yet.' : 'Every secret older than 30 days was read recently.'}
    actions={
      total > first.length && (
        <TextLink to="/secrets" search={{ read: 'no' }} size="xs">
          Show all
        </TextLink>
      )
    }
  >
    {first.map(({ environment, secretId, key }) => (
      <ReviewRow
        key={secretId}
        link={<SecretLink secretId={secretId} name={key} environment={environment} />}
      />
    ))}
  </ReviewPanel>
);
