import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { KEY_FIELDS } from '../../../../contract/fields/key-limits.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { useCan } from '../../api/session-context.tsx';
import { refusalText } from '../../components/audit-words.ts';
import {
  AuditLinks,
  Columns,
  Facts,
  FailureRow,
  FirstFew,
  Panel,
  PromptLink,
  ReviewPanel,
  ReviewRow,
  RowButton,
  SecretLink,
  Small,
  When,
} from '../../components/basics.tsx';
import { confirmDeletionOfPrompts } from '../../components/confirm-by-name.tsx';
import { failuresByCause } from '../../components/failures.ts';
import { counted, inDigits, listed, times } from '../../components/locale.ts';
import { Screen } from '../../components/screen.tsx';
import { QueryBoundary } from '../../components/states.tsx';
import { Expiry, KeyStatus, notesOn, permissionsText } from './api-keys-screen.tsx';
import { KeyActions } from './key-actions.tsx';
import { type KeyDetails, type KeyRow, keyQuery, listsOf } from './key-queries.ts';
import { reachOf } from './key-texts.ts';
import { openNewKey } from './new-key-dialog.tsx';

const within = ({ key: { revokedAt } }: KeyDetails): string =>
  revokedAt === undefined ? 'in 30 days' : 'in the 30 days before';

const Often = ({ count, lastAt }: { count: number; lastAt: string }) => (
  <>
    {times(count)}, last <When at={lastAt} short />
  </>
);

interface UsedProps<Item> {
  what: 'prompt' | 'secret';
  title: string;
  items: readonly Item[];
  unread: KeyDetails['prompts']['unread'];
  children: (item: Item) => ReactNode;
}

/** What a key read, and how much it never read although it may. */
const Used = <Item,>({ what, title, items, unread, children }: UsedProps<Item>) => (
  <Panel
    title={title}
    count={items.length}
    nothing={items.length + unread.total === 0 && `It read no ${what}.`}
  >
    <FirstFew className="cv-list cv-rows">{items.map(children)}</FirstFew>
    {unread.total > 0 && (
      <Small mt="sm" title={listed(unread.first, unread.total)}>
        It may read {inDigits(unread.total)} more, but did not.
      </Small>
    )}
  </Panel>
);

interface RotateReadProps {
  read: KeyDetails['read'];
  /** When the key was revoked. */
  since: string;
}

/** The secrets that whoever had a revoked key may still know, until each has a new value. */
const RotateRead = ({ read, since }: RotateReadProps) => {
  const left = read.filter(({ known }) => known);
  if (read.length === 0) return null;
  return (
    <ReviewPanel
      title={`Rotate ${counted(left.length, 'secret')}`}
      nothing={
        left.length === 0 && `Each of the ${counted(read.length, 'secret')} that it had read got a new value.`
      }
    >
      <li>
        <Text mb="xs">
          Whoever had the key may know these values. {read.length - left.length} of{' '}
          {counted(read.length, 'secret')} rotated since it was revoked <When at={since} short />.
        </Text>
      </li>
      {left.map((secret) => (
        <ReviewRow key={secret.secretId} link={<SecretLink secret={secret} />}>
          read <When at={secret.lastAt} short />
        </ReviewRow>
      ))}
    </ReviewPanel>
  );
};

const route = getRouteApi('/api-keys/$keyId');

/** One API key: what it may read, what it did read, and why it was refused. */
export const ApiKeyScreen = () => {
  const { keyId } = route.useParams();
  const can = useCan();
  const details = useQuery(keyQuery(keyId));
  return (
    <QueryBoundary query={details} frame={{}}>
      {(found) => (
        <Screen
          title={found.key.name}
          beside={<KeyStatus {...found.key} />}
          subtitle={notesOn(found.key) && <Text c="amber">{notesOn(found.key)}</Text>}
          actions={
            can('admin') && (
              <>
                {/* A revoked key needs it too: whoever had it may have created prompts. */}
                {found.key.permissions.includes('publish') && (
                  <Button
                    variant="default"
                    onClick={() =>
                      confirmDeletionOfPrompts({
                        which: { createdByKey: keyId },
                        name: found.key.name,
                        what: 'All prompts created by the API key',
                      })
                    }
                  >
                    Delete its prompts
                  </Button>
                )}
                <KeyActions row={found.key} />
              </>
            )
          }
        >
          <Stack>
            {found.key.revokedAt !== undefined && (
              <RotateRead read={found.read} since={found.key.revokedAt} />
            )}
            <Columns>
              <Stack>
                <Failed details={found} canAllow={can('admin')} />
                <Used
                  what="prompt"
                  title={`Prompts fetched ${within(found)}`}
                  items={found.fetched}
                  unread={found.prompts.unread}
                >
                  {({ promptId, name, fetches, lastAt }) => (
                    <ReviewRow key={promptId} link={<PromptLink {...{ promptId, name }} />}>
                      <Often count={fetches} lastAt={lastAt} />
                    </ReviewRow>
                  )}
                </Used>
                <Used
                  what="secret"
                  title={`Secrets read ${within(found)}`}
                  items={found.read}
                  unread={found.secrets.unread}
                >
                  {(secret) => (
                    <ReviewRow key={secret.secretId} link={<SecretLink secret={secret} />}>
                      <Often count={secret.reads} lastAt={secret.lastAt} />
                    </ReviewRow>
                  )}
                </Used>
              </Stack>
              <Stack>
                <Access details={found} />
                <KeyFacts apiKey={found.key} />
                {found.key.kind === 'trust' && <TrustFacts details={found} />}
              </Stack>
            </Columns>
          </Stack>
        </Screen>
      )}
    </QueryBoundary>
  );
};

interface DetailsProps {
  details: KeyDetails;
}

// The other limits are shown with what they allow.
const FURTHER = KEY_FIELDS.filter(({ name }) => !['prompts', 'tags', 'cidrs'].includes(name));

const furtherFacts = (key: KeyRow) =>
  FURTHER.flatMap(({ name, short }) => {
    const values = listsOf(key)[name] ?? [];
    return values.length > 0 ? [[short.charAt(0).toUpperCase() + short.slice(1), values.join(', ')]] : [];
  });

const Access = ({ details: { key, prompts, secrets } }: DetailsProps) => (
  <Panel title="Access">
    <Facts
      of={{
        Permissions: permissionsText(key.permissions),
        ...Object.fromEntries(furtherFacts(key)),
        Prompts: reachOf('prompt', prompts, key.prompts),
        Secrets: reachOf('secret', secrets, key.tags),
        From: key.cidrs.join(', ') || 'any address',
      }}
    />
  </Panel>
);

const KeyFacts = ({ apiKey: key }: { apiKey: KeyRow }) => (
  <Panel title="Details">
    <Facts
      of={{
        Expires: <Expiry {...key} />,
        'Last used': key.lastUsedAt === null ? 'never with success' : <When at={key.lastUsedAt} />,
        Created: (
          <>
            <When at={key.createdAt} /> by {key.createdBy}
            {key.replaces && `, to replace ${key.replaces}`}
          </>
        ),
        Id: <span className="cv-mono">{key.keyId}</span>,
        Audit: (
          <AuditLinks
            of={{
              'its changes': { subject: key.keyId },
              'its reads of secrets': { kind: 'read', actor: key.keyId },
              'its refusals': { kind: 'refusal', actor: key.keyId },
            }}
          />
        ),
      }}
    />
  </Panel>
);

const TrustFacts = ({ details: { key, issuerKeys } }: DetailsProps) => (
  <Panel title="Trust">
    <Facts
      of={{
        Issuer: key.issuer,
        Audience: <span className="cv-mono">{key.audience}</span>,
        ...Object.fromEntries(
          Object.entries(key.match ?? {}).map(([pointer, values]) => [
            pointer,
            <span className="cv-mono" key={pointer}>
              {JSON.stringify(values)}
            </span>,
          ]),
        ),
        Keys: (
          <>
            {key.jwks && `${counted(key.jwks.length, 'key')}, given with the trust and never refreshed`}
            {issuerKeys && `${counted(issuerKeys.count, 'key')} of the issuer`}
            {!key.jwks && !issuerKeys && 'not fetched yet'}
            {issuerKeys?.problem && <Small c="amber">{issuerKeys.problem}</Small>}
          </>
        ),
      }}
    />
  </Panel>
);

/** A trust that also allows the value that was refused, if it is known completely. */
const allowing = (key: KeyRow, { pointer, got }: Claim): KeyRow | undefined => {
  try {
    const { [pointer]: values = [], ...others } = key.match as Record<string, unknown[]>;
    return { ...key, match: { ...others, [pointer]: [...values, JSON.parse(got)] } };
  } catch {
    return undefined;
  }
};

type Claim = NonNullable<KeyDetails['refused'][number]['claim']>;

const RefusedClaim = ({ apiKey, claim, canAllow }: { apiKey: KeyRow; claim: Claim; canAllow: boolean }) => {
  const wider = canAllow && apiKey.status === 'active' ? allowing(apiKey, claim) : undefined;
  return (
    <>
      <span className="cv-mono cv-break">
        {claim.pointer}: wanted {claim.wanted}, got {claim.got}
      </span>{' '}
      {wider && <RowButton onClick={() => openNewKey(wider)}>Allow this</RowButton>}
    </>
  );
};

/** What failed, and what was refused, by cause. */
const Failed = ({ details: { key, failing, refused }, canAllow }: DetailsProps & { canAllow: boolean }) => (
  <ReviewPanel
    title="Failed and refused calls"
    nothing={
      failing.length + refused.length === 0 &&
      `None failed in ${LIMITS.failingDays} days, and none was refused in ${LIMITS.shownDays}.`
    }
  >
    {failuresByCause(failing).map((cause) => (
      <FailureRow
        key={cause.id}
        by={listed([...new Set(cause.failures.map(({ label, version }) => label ?? version ?? 'latest'))])}
        {...cause}
      />
    ))}
    {refused.map(({ reason, minutes, lastAt, asked, claim }) => (
      <ReviewRow
        key={`${reason} ${claim?.pointer} ${claim?.got}`}
        link={`Refused: ${refusalText(reason)}`}
        of={
          claim ? <RefusedClaim {...{ apiKey: key, claim, canAllow }} /> : asked && `first asked for ${asked}`
        }
      >
        in {counted(minutes, 'minute')}, last <When at={lastAt} short />
      </ReviewRow>
    ))}
  </ReviewPanel>
);
