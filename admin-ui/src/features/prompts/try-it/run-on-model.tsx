import {
  Alert,
  Button,
  Checkbox,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useState } from 'react';
import { type Content, ROLES, type TextMessage } from '../../../../../contract/content/content.ts';
import { liveVersion } from '../../../../../contract/content/live.ts';
import { promptsTry } from '../../../../../contract/endpoints/prompts.ts';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { call, type ReplyOf } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useSession } from '../../../api/session-context.tsx';
import { useAction } from '../../../api/use-action.ts';
import { counted } from '../../../components/count.ts';
import { Refusal } from '../../../components/dialogs/refusal.tsx';
import { inDigits } from '../../../components/locale.ts';
import { served } from '../../../components/prompt-content.ts';
import { Small } from '../../../components/small.tsx';
import { type Prompt, versionQuery } from '../prompt-queries.ts';
import { tryContent } from './compiled.ts';

type Trial = ReplyOf<typeof promptsTry> & { readonly of: string };

interface Filled {
  readonly values: JsonObject;
  readonly lists: Readonly<Record<string, string>>;
}

/** What of a compiled content is sent, and what is not. */
const requestOf = (content: Content, { values, lists }: Filled) => {
  const { text } = tryContent(content, values, lists);
  const all: Partial<TextMessage>[] =
    content.type === 'chat' ? JSON.parse(text) : [{ role: 'user', content: text }];
  const messages = all.flatMap(({ role, content: said }) => {
    const known = ROLES.find((each) => each === role);
    return known !== undefined && typeof said === 'string' ? [{ role: known, content: said }] : [];
  });
  const others = all.length - messages.length;
  const { config, tools } = content;
  return {
    body: { messages, ...(config && { config }), ...(tools && { tools: [...tools] }) },
    notSent: [
      ...(others > 0 ? [counted(others, 'message that is not a text', 'messages that are not texts')] : []),
      ...(content.output ? ['output'] : []),
    ],
  };
};

interface RunOnModelProps extends Filled {
  /** Undefined for a new prompt. */
  readonly prompt: Prompt | undefined;
  readonly content: Content;
}

/** Sends a compiled content to a model, and shows the answer; on demand beside that of the version that is live. */
export const RunOnModel = ({ prompt, content, values, lists }: RunOnModelProps) => {
  const { models = [] } = useSession().config;
  const offered = models.map(({ id }) => id);
  const [chosen, setChosen] = useState<string>();
  const own = content.model ?? '';
  const model = chosen ?? (models.length === 0 || offered.includes(own) ? own : (offered[0] ?? ''));
  const [withLive, setWithLive] = useState(false);
  const [trials, setTrials] = useState<readonly Trial[]>([]);
  const live = prompt && liveVersion(prompt);
  const regions = models.find(({ id }) => id === model)?.regions;
  const run = async (of: string, tried: Content): Promise<Trial> => {
    const { body, notSent } = requestOf(tried, { values, lists });
    const promptId = prompt && { promptId: prompt.promptId };
    const reply = await call(promptsTry, { body: { model, ...promptId, ...body } });
    return { ...reply, notSent: [...notSent, ...reply.notSent], of };
  };
  const runAgainst = async (version: string): Promise<Trial> => {
    const found = await queryClient.ensureQueryData(versionQuery(prompt?.promptId ?? '', version));
    return run(`Live: ${version}`, served(found));
  };
  const { mutate, isPending, error } = useAction(async () => {
    setTrials([]);
    const both = [run('This text', content), ...(withLive && live ? [runAgainst(live)] : [])];
    // An answer is billed, and shown, whatever becomes of the other call.
    const outcomes = await Promise.allSettled(both);
    setTrials(outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
    const failed = outcomes.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  });
  return (
    <Stack gap="sm" component="section" aria-label="Run on a model">
      <Title order={3}>Run on a model</Title>
      {models.length === 0 ? (
        <TextInput
          size="xs"
          label="Model"
          value={model}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      ) : (
        <Select
          size="xs"
          label="Model"
          data={offered}
          value={model}
          allowDeselect={false}
          onChange={(next) => setChosen(next ?? undefined)}
        />
      )}
      {live && (
        <Checkbox
          size="xs"
          label={`Also the live version, ${live}: a second call`}
          checked={withLive}
          onChange={(event) => setWithLive(event.currentTarget.checked)}
        />
      )}
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Button
          size="xs"
          loading={isPending}
          disabled={model === ''}
          onClick={() => mutate()}
          style={{ flexShrink: 0 }}
        >
          Run
        </Button>
        <Small>
          The compiled text leaves Cuevault for this model
          {regions && `, in one of the regions ${regions.join(', ')}`}. At most {LIMITS.triedBytes / 1024} KB
          are sent, and an answer takes at most {inDigits(LIMITS.triedTokens)} tokens and{' '}
          {LIMITS.triedSeconds} seconds; a call that is stopped can be billed. The audit log records that you
          ran it, and no text.
        </Small>
      </Group>
      <Refusal error={error} />
      <SimpleGrid type="container" cols={{ base: 1, '30rem': Math.max(1, trials.length) }} role="status">
        {trials.map((trial) => (
          <Answer key={trial.of} {...trial} />
        ))}
      </SimpleGrid>
    </Stack>
  );
};

const Answer = ({ of, answer, failure, ms, notSent }: Trial) => (
  <Stack gap="xs" className="cv-break">
    <Title order={4}>{of}</Title>
    {failure !== undefined && (
      <Alert color="amber" p="xs">
        {failure}
      </Alert>
    )}
    {answer && (
      <>
        <Text style={{ whiteSpace: 'pre-wrap' }}>{answer.text}</Text>
        {answer.toolCalls.map(({ name, input }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an answer never changes
          <Text key={index} className="cv-mono" size="sm">
            {name}({input})
          </Text>
        ))}
        <Small>
          {inDigits(answer.inputTokens)} tokens sent, {inDigits(answer.outputTokens)} answered, in{' '}
          {(ms / 1_000).toFixed(1)} s{answer.stop && `; ended with ${answer.stop}`}
        </Small>
      </>
    )}
    {notSent.length > 0 && <Small>Not sent: {notSent.join(', ')}</Small>}
  </Stack>
);
