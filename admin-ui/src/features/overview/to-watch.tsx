import { refusalText } from '../../components/audit/audit-words.ts';
import { counted } from '../../components/count.ts';
import { ReviewPanel, ReviewRow, SecretLink } from '../../components/layout/review-panel.tsx';
import { TextLink } from '../../components/link.tsx';
import { DayText, When } from '../../components/when.tsx';
import type { Overview } from './overview-queries.ts';

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

/** API keys that were refused, which the applications that use them may not report. */
export const RefusedKeys = ({ refused }: Pick<Overview, 'refused'>) => (
  <ReviewPanel
    title="Refused in the last 24 hours"
    count={refused.length}
    nothing="No call with a known API key was refused."
    actions={
      refused.length > 0 && (
        <TextLink to="/audit" search={{ kind: 'refusal', period: '7' }} size="xs">
          Show all
        </TextLink>
      )
    }
  >
    {refused.map(({ minutes, lastAt, reason, asked, ...key }) => (
      <ReviewRow
        key={`${key.keyId} ${reason}`}
        link={<KeyLink {...key} />}
        reason={
          <span title={asked && `Last asked for ${asked}`}>
            {refusalText(reason)}, in {counted(minutes, 'minute')}, last <When at={lastAt} short />
          </span>
        }
      />
    ))}
  </ReviewPanel>
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
    {first.map(({ secretId, key, rotateBy }) => (
      <ReviewRow
        key={secretId}
        link={<SecretLink secretId={secretId} name={key} />}
        reason={
          <>
            {rotateBy < new Date().toISOString().slice(0, 10) ? 'overdue since' : 'by'}{' '}
            <DayText day={rotateBy} />
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
    {first.map(({ secretId, key, changedAt }) => (
      <ReviewRow
        key={secretId}
        link={<SecretLink secretId={secretId} name={key} />}
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
    {first.map(({ secretId, key }) => (
      <ReviewRow key={secretId} link={<SecretLink secretId={secretId} name={key} />} />
    ))}
  </ReviewPanel>
);
