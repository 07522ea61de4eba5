import { Badge, Box, Button, Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../../../contract/limits.ts';
import { counted } from '../../../components/count.ts';
import { TextLink } from '../../../components/link.tsx';
import { Small } from '../../../components/small.tsx';
import { QueryBoundary } from '../../../components/states.tsx';
import { When } from '../../../components/when.tsx';
import { callersQuery } from '../prompt-queries.ts';
import {
  type AffectedKey,
  type Callers,
  type ContentChange,
  harmOf,
  impactOf,
  type Scope,
} from './impact.ts';

interface ImpactPanelProps {
  readonly promptId: string;
  readonly scopes: readonly Scope[];
  /** What will happen to these callers, such as "get 1.2.0 on the next fetch". */
  readonly outcome: string;
  readonly change?: ContentChange;
}

/** Who is affected by a change: the API keys that fetched it within seven days. */
export const ImpactPanelView = (props: ImpactPanelProps) => {
  const callers = useQuery(callersQuery(props.promptId));
  return (
    <Paper component="section" withBorder py={10} px="sm" aria-label="Who is affected">
      <Text fw={600}>Who is affected</Text>
      <QueryBoundary query={callers}>
        {(found) => (
          <>
            <Affected {...props} found={found} />
            <EarlierKeys {...found} />
          </>
        )}
      </QueryBoundary>
    </Paper>
  );
};

const nameOf = (scope: Scope): string => {
  if (scope.kind === 'prompt') return 'this prompt';
  if (scope.kind === 'latest') return 'the latest version';
  return scope.kind === 'label' ? `the label ${scope.label}` : `version ${scope.version}`;
};

const Affected = ({ promptId, scopes, outcome, change, found }: ImpactPanelProps & { found: Callers }) => {
  const { keys, changes } = impactOf(found.callers, scopes, change);
  const what = `${scopes.map(nameOf).join(' or ')} in the last ${LIMITS.inUseDays} days`;
  const fetches = keys.reduce((sum, key) => sum + key.fetches, 0);
  if (keys.length === 0) return <Text c="dimmed">No API key asked for {what}.</Text>;
  return (
    <>
      <Text>
        {counted(keys.length, 'API key')} asked for {what} ({counted(fetches, 'fetch', 'fetches')}) and will{' '}
        {outcome}.
      </Text>
      <AffectedKeys promptId={promptId} keys={keys} isJudged={changes.length > 0} />
    </>
  );
};

const SHOWN = 5;

interface AffectedKeysProps {
  /** The prompt that they ask for; undefined for several. */
  readonly promptId?: string;
  readonly keys: readonly AffectedKey[];
  /** Whether it is known what can break them, and something can. */
  readonly isJudged: boolean;
}

/** API keys, each with a link to its history, what it asks for and what it does not send. */
export const AffectedKeys = ({ promptId, keys, isJudged }: AffectedKeysProps) => {
  const [all, setAll] = useState(false);
  return (
    <>
      <ul className="cv-list cv-rows">
        {keys.slice(0, all ? keys.length : SHOWN).map((key) => (
          <Box component="li" key={key.apiKeyId} py={4}>
            <Group gap={6}>
              <KeyLink promptId={promptId} affected={key} />
              {isJudged && <Badge color={VERDICT_COLORS[key.verdict]}>{key.verdict}</Badge>}
            </Group>
            <Facts {...key} />
          </Box>
        ))}
      </ul>
      {keys.length > SHOWN && !all && (
        <Button variant="subtle" size="compact-xs" onClick={() => setAll(true)}>
          Show all {keys.length}
        </Button>
      )}
    </>
  );
};

const VERDICT_COLORS = { breaks: 'brick', unknown: 'amber', works: 'spruce' } as const;

const KeyLink = ({
  promptId,
  affected: { apiKeyId, apiKeyName },
}: {
  promptId: string | undefined;
  affected: AffectedKey;
}) => {
  const look = { size: 'sm', className: 'cv-break', children: apiKeyName } as const;
  return promptId === undefined ? (
    <TextLink to="/api-keys/$keyId" params={{ keyId: apiKeyId }} {...look} />
  ) : (
    <TextLink to="/prompts/$promptId/usage" params={{ promptId }} search={{ key: apiKeyId }} {...look} />
  );
};

const Facts = ({
  asks,
  fetches,
  lastAt,
  unsent,
  unused,
  verdict,
  prompts,
  isSendingUnknown,
}: AffectedKey) => (
  <>
    <Small className="cv-break">
      asks for {asks.join(', ')}
      {prompts && ` of ${counted(prompts.length, 'prompt')}`} · {counted(fetches, 'fetch', 'fetches')} · last{' '}
      <When at={lastAt} short />
    </Small>
    {unsent.length > 0 && (
      <Text size="xs" c="amber">
        sends no value for {unsent.join(', ')}
      </Text>
    )}
    {unused.length > 0 && <Small>sends a value for {unused.join(', ')}, without effect from now on</Small>}
    {verdict === 'unknown' && unused.length === 0 && (
      <Small>
        {isSendingUnknown
          ? 'compiles the template itself, so which variables it fills in is not known'
          : 'whether it can handle the change is not known'}
      </Small>
    )}
    {prompts
      ?.filter((prompt) => prompt.verdict !== 'works')
      .map(({ name, verdict: each }) => (
        <Text key={name} size="xs" c={each === 'breaks' ? 'amber' : 'dimmed'} className="cv-break">
          {name}: {each}
        </Text>
      ))}
  </>
);

/** The API keys whose fetches are older than the entries read. */
const EarlierKeys = ({ earlier, since }: Callers) =>
  earlier.length === 0 ? null : (
    <Small mt={4} className="cv-break">
      Before <When at={since} />, this prompt was also fetched by{' '}
      {earlier.map(({ apiKeyName }) => apiKeyName).join(', ')}. What they asked for is not listed here.
    </Small>
  );

/**
 * How many callers a change breaks, as `harmOf` says it.
 * @param change undefined as long as it is not known
 */
export const useBreaks = (
  promptId: string,
  scopes: readonly Scope[],
  change: ContentChange | undefined,
): string | undefined => {
  const { data } = useQuery(callersQuery(promptId));
  return data && change && harmOf(impactOf(data.callers, scopes, change).keys);
};
