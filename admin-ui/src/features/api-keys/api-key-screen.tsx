import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { KEY_FIELDS } from '../../../../contract/fields/key-limits.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { useRole } from '../../api/session-context.tsx';
import { refusalText } from '../../components/audit/audit-words.ts';
import { counted, times } from '../../components/count.ts';
import { confirmDeletionOfPrompts } from '../../components/dialogs/delete-prompts.tsx';
import { Fact, Facts } from '../../components/layout/facts.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { PromptLink, ReviewPanel, ReviewRow } from '../../components/layout/review-panel.tsx';
import { Screen } from '../../components/layout/screen.tsx';
import { TextLink } from '../../components/link.tsx';
import { RowButton, Small } from '../../components/small.tsx';
import { QueryBoundary } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { Expiry, KeyStatus, notesOn, permissionsText } from './api-keys-columns.tsx';
import { KeyActions } from './key-actions.tsx';
import { type KeyDetails, type KeyRow, keyQuery, listsOf } from './key-queries.ts';
import { Fetched, Read, RotateRead } from './key-reads.tsx';
import { type Reach, reachOf } from './key-texts.ts';
import { openNewKey } from './new-key-dialog.tsx';

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
          actions={can('admin') && <Actions apiKey={found.key} />}
        >
          <Stack gap="md">
            {found.key.revokedAt !== undefined && (
              <RotateRead read={found.read} since={found.key.revokedAt} />
            )}
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <Access details={found} />
              <KeyFacts apiKey={found.key} />
            </SimpleGrid>
            {found.key.kind === 'trust' && <TrustFacts details={found} />}
            <Failing failing={found.failing} />
            <Refusals refused={found.refused} apiKey={found.key} canAllow={can('admin')} />
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" style={{ alignItems: 'start' }}>
              <Fetched details={found} />
              <Read details={found} />
            </SimpleGrid>
          </Stack>
        </Screen>
      )}
    </QueryBoundary>
  );
};

// A revoked key needs them too: whoever had it may have created prompts.
const Actions = ({ apiKey }: { readonly apiKey: KeyRow }) => {
  const { keyId, name, permissions } = apiKey;
  const which = { createdByKey: keyId };
  return (
    <>
      {permissions.includes('publish') && (
        <Button
          variant="default"
          onClick={() =>
            confirmDeletionOfPrompts({ which, name, what: 'All prompts created by the API key' })
          }
        >
          Delete its prompts
        </Button>
      )}
      <KeyActions row={apiKey} />
    </>
  );
};

interface DetailsProps {
  readonly details: KeyDetails;
}

// The other limits are shown with what they allow.
const FURTHER = KEY_FIELDS.filter(({ name }) => !['prompts', 'tags', 'cidrs'].includes(name));

const FurtherFact = ({ name, values = [] }: { name: string; values?: string[] | undefined }) =>
  values.length > 0 && <Fact name={name.charAt(0).toUpperCase() + name.slice(1)}>{values.join(', ')}</Fact>;

const Access = ({ details: { key, prompts, secrets } }: DetailsProps) => (
  <Panel title="Access">
    <Facts>
      <Fact name="Permissions">{permissionsText(key.permissions)}</Fact>
      {FURTHER.map(({ name, short }) => (
        <FurtherFact key={name} name={short} values={listsOf(key)[name]} />
      ))}
      <Fact name="Prompts">
        <ReachText {...reachOf('prompt', prompts, key.prompts)} />
      </Fact>
      <Fact name="Secrets">
        <ReachText {...reachOf('secret', secrets, key.tags)} />
      </Fact>
      <Fact name="From">
        <ReachText text={key.cidrs.join(', ') || 'any address'} isWide={key.cidrs.length === 0} />
      </Fact>
    </Facts>
  </Panel>
);

const ReachText = ({ text, isWide }: Reach) => (
  <Text span inherit {...(isWide && { c: 'amber' })}>
    {text}
  </Text>
);

const KeyFacts = ({ apiKey: key }: { apiKey: KeyRow }) => (
  <Panel title="Details">
    <Facts>
      <Fact name="Expires">
        <Expiry {...key} />
      </Fact>
      <Fact name="Last used">
        {key.lastUsedAt === null ? 'never with success' : <When at={key.lastUsedAt} />}
      </Fact>
      {notesOn(key).length > 0 && <Fact name="Note">{notesOn(key).join(' ')}</Fact>}
      <Fact name="Created">
        <When at={key.createdAt} /> by {key.createdBy}
        {key.replaces && `, to replace ${key.replaces}`}
      </Fact>
      <Fact name="Id">
        <span className="cv-mono">{key.keyId}</span>
      </Fact>
      <Fact name="Audit">
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
      </Fact>
    </Facts>
  </Panel>
);

const TrustFacts = ({ details: { key, issuerKeys } }: DetailsProps) => (
  <Panel title="Trust">
    <Facts>
      <Fact name="Issuer">{key.issuer}</Fact>
      <Fact name="Audience">
        <span className="cv-mono cv-break">{key.audience}</span>
      </Fact>
      {Object.entries(key.match ?? {}).map(([pointer, values]) => (
        <Fact key={pointer} name={pointer}>
          <span className="cv-mono cv-break">{JSON.stringify(values)}</span>
        </Fact>
      ))}
      <Fact name="Keys">
        {key.jwks && `${counted(key.jwks.length, 'key')}, given with the trust and never refreshed`}
        {issuerKeys && `${counted(issuerKeys.count, 'key')} of the issuer`}
        {!key.jwks && !issuerKeys && 'not fetched yet'}
        {issuerKeys?.problem && (
          <Text span display="block" size="xs" c="amber">
            {issuerKeys.problem}
          </Text>
        )}
      </Fact>
    </Facts>
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
      {' '}
      <span className="cv-mono cv-break">
        {claim.pointer}: wanted {claim.wanted}, got {claim.got}
      </span>{' '}
      {wider && <RowButton onClick={() => openNewKey(wider)}>Allow this</RowButton>}
    </>
  );
};

const Failing = ({ failing }: Pick<KeyDetails, 'failing'>) =>
  failing.length > 0 && (
    <ReviewPanel title={`Failed in ${LIMITS.failingDays} days`} count={failing.length}>
      {failing.map(({ promptId, name, code, reason, label, version, calls, lastAt }) => (
        <ReviewRow
          key={JSON.stringify([promptId, code, reason, label, version])}
          link={
            <>
              <PromptLink {...{ promptId, name }} />
              <Small className="cv-break">
                {label ?? version}: {reason}
              </Small>
            </>
          }
        >
          {code === 'placeholder_left' ? '' : 'at least '}
          {times(calls)}, last <When at={lastAt} short />
        </ReviewRow>
      ))}
    </ReviewPanel>
  );

interface RefusalsProps extends Pick<KeyDetails, 'refused'> {
  readonly apiKey: KeyRow;
  readonly canAllow: boolean;
}

const Refusals = ({ refused, apiKey, canAllow }: RefusalsProps) => (
  <ReviewPanel
    title={`Refused in ${LIMITS.shownDays} days`}
    count={refused.length}
    nothing={refused.length === 0 && 'No call was refused.'}
  >
    {refused.map(({ reason, minutes, lastAt, asked, claim }) => (
      <ReviewRow key={`${reason} ${claim?.pointer} ${claim?.got}`} link={refusalText(reason)}>
        in {counted(minutes, 'minute')}, last <When at={lastAt} short />
        {asked && ` for ${asked}`}
        {claim && <RefusedClaim {...{ apiKey, claim, canAllow }} />}
      </ReviewRow>
    ))}
  </ReviewPanel>
);
