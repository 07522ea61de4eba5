import { Badge, Box, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { secretsRollback } from '../../../../contract/endpoints/secrets.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { useCan } from '../../api/session-context.tsx';
import { KeyLink, Panel, Row, RowButton, Small, When } from '../../components/basics.tsx';
import { confirmByName } from '../../components/confirm-by-name.tsx';
import { confirm } from '../../components/dialogs.tsx';
import type { SecretRef } from '../../components/environments.tsx';
import { counted, daysSince } from '../../components/locale.ts';
import { pickedUp } from './rotation.ts';
import {
  changeSecrets,
  type EarlierValue,
  type Secret,
  type SecretDetails,
  secretQuery,
} from './secret-queries.ts';

const isOff = ({ switchedOff }: Secret, number: number): boolean => number <= (switchedOff?.upTo ?? 0);

/** Asks before an earlier value replaces the current one. */
export const confirmRollback = (secret: Secret, { number, changedAt, changedBy }: EarlierValue): void => {
  const { key, secretId, environment, number: current } = secret;
  const question = {
    title: `Roll back ${key}`,
    verb: `Roll back to v${number}`,
    action: () =>
      changeSecrets(secretsRollback, { params: { secretId }, body: { environment, number, current } }),
    done: `${key} is rolled back to v${number}.`,
    text: (
      <>
        {isOff(secret, number) && (
          <Text c="brick" fw={600} mb="xs">
            The credential in v{number} is recorded as disabled: applications would fail with it.
          </Text>
        )}
        v{number}, given <When at={changedAt} /> by {changedBy}, replaces v{current} for every application
        with its next read. v{current} is kept: you can go back to it in turn.
      </>
    ),
  };
  if (isOff(secret, number)) confirmByName({ ...question, name: key });
  else confirm(question);
};

/** The current value and the earlier ones, by number; the values themselves are never shown. */
export const SecretValues = ({ secret, values }: SecretDetails) => {
  const can = useCan();
  const all: (Pick<Secret, 'number' | 'changedAt' | 'changedBy'> & Partial<EarlierValue>)[] = [
    secret,
    ...values,
  ];
  return (
    <Panel title="Values" count={all.length}>
      <ul className="cv-list cv-rows">
        {all.map(({ number, changedAt, changedBy, replacedAt }) => (
          <Row key={number}>
            <Text span inherit fw={600} miw="3.2rem">
              v{number}
            </Text>
            <span className="cv-break">
              <When at={changedAt} />
              <Small>by {changedBy}</Small>
              {replacedAt && (
                <Small>
                  until <When at={replacedAt} />
                </Small>
              )}
            </span>
            {number !== secret.number && isOff(secret, number) && <Badge color="brick">disabled</Badge>}
            <Box ml="auto" flex="none">
              {replacedAt === undefined ? (
                <Badge size="md" color="spruce">
                  current
                </Badge>
              ) : (
                can('editor') && (
                  <RowButton
                    onClick={() => confirmRollback(secret, { number, changedAt, changedBy, replacedAt })}
                    aria-label={`Roll back to v${number}`}
                  >
                    Roll back
                  </RowButton>
                )
              )}
            </Box>
          </Row>
        ))}
      </ul>
      <Small mt="sm">
        {values.length === 0
          ? 'When you save another value, this one is kept and you can roll back to it.'
          : `The last ${LIMITS.earlierValues} values are kept. Rolling back reveals no value.`}
      </Small>
    </Panel>
  );
};

type Reader = SecretDetails['readers'][number];

/** Who reads a secret, and which value each reader received last. */
export const Readers = ({ secret, readers }: SecretDetails) => {
  const { total, isAll, progress } = pickedUp({ secret, readers });
  return (
    <Panel
      title="Readers"
      count={readers.length}
      nothing={readers.length === 0 && 'No active API key can read it, and none did in the last 30 days.'}
    >
      {total > 0 && (
        <Text mb="xs" role="status">
          {progress} the current value, v{secret.number}.
          {isAll && secret.number > 1 && ' Nobody needs the previous one.'}
        </Text>
      )}
      <ul className="cv-list cv-rows">
        {readers.map((reader) => (
          <ReaderRow key={reader.apiKeyId} reader={reader} current={secret.number} />
        ))}
      </ul>
    </Panel>
  );
};

const ReaderRow = ({ reader, current }: { reader: Reader; current: number }) => (
  <Row>
    <span className="cv-grow">
      <KeyLink keyId={reader.apiKeyId} name={reader.apiKeyName} />
      <Small>
        {reader.lastAt === null ? (
          'can read it, but did not in 30 days'
        ) : (
          <>
            read <When at={reader.lastAt} short /> · {counted(reader.reads, 'read')} in 30 days
          </>
        )}
        {!reader.allowed && ' · can no longer read it'}
      </Small>
    </span>
    {reader.lastAt !== null && (
      <Badge color={reader.number === current ? 'spruce' : 'amber'} flex="none">
        {reader.number === null ? 'has an older value' : `has v${reader.number}`}
      </Badge>
    )}
  </Row>
);

/** Shows which API keys read a secret within seven days, before a change that affects them. */
export const RecentReaders = ({ secret, outcome }: { secret: SecretRef; outcome: string }) => {
  const { data } = useQuery(secretQuery(secret));
  if (data === undefined) return null;
  const recent = data.readers.filter(
    ({ allowed, lastAt }) => allowed && lastAt !== null && daysSince(lastAt) <= LIMITS.inUseDays,
  );
  return (
    <Text c={recent.length === 0 ? 'dimmed' : 'amber'}>
      {recent.length === 0
        ? `No API key that can still read it did so in the last ${LIMITS.inUseDays} days.`
        : `${counted(recent.length, 'API key')} read it in the last ${LIMITS.inUseDays} days and will ${outcome}: ${recent.map(({ apiKeyName }) => apiKeyName).join(', ')}.`}
    </Text>
  );
};
