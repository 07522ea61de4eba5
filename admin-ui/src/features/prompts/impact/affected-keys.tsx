import { Badge, Box, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { counted } from '../../../components/count.ts';
import { TextLink } from '../../../components/link.tsx';
import { Small } from '../../../components/small.tsx';
import { When } from '../../../components/when.tsx';
import type { AffectedKey, Callers } from './impact.ts';

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
export const EarlierKeys = ({ earlier, since }: Callers) =>
  earlier.length === 0 ? null : (
    <Small mt={4} className="cv-break">
      Before <When at={since} />, this prompt was also fetched by{' '}
      {earlier.map(({ apiKeyName }) => apiKeyName).join(', ')}. What they asked for is not listed here.
    </Small>
  );
