import {
  Alert,
  Button,
  Checkbox,
  Group,
  JsonInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Content, ROLES, type VariableDeclaration } from '../../../../../contract/content/content.ts';
import { liveVersion } from '../../../../../contract/content/live.ts';
import { variablesIn } from '../../../../../contract/content/templates.ts';
import { declared, fits, isRequired, withDefaults } from '../../../../../contract/content/variables.ts';
import { promptsTry } from '../../../../../contract/endpoints/prompts.ts';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { call, type ReplyOf } from '../../../api/client.ts';
import { queryClient } from '../../../api/queries.ts';
import { useCan, useSession } from '../../../api/session-context.tsx';
import { useAction } from '../../../api/use-action.ts';
import { Muted, Small, When } from '../../../components/basics.tsx';
import { CopyTextButton } from '../../../components/code-block.tsx';
import { ActionButton, notifyDone, Refusal } from '../../../components/dialogs.tsx';
import { counted, inDigits, joined } from '../../../components/locale.ts';
import { served } from '../../../components/prompt-content.ts';
import { readValue } from '../editor/content.ts';
import {
  type Prompt,
  type PromptDetails,
  promptQuery,
  saveExamples,
  versionQuery,
} from '../prompt-queries.ts';
import { Messages, MessageText, TemplateText } from '../versions/template-text.tsx';
import { textOf } from '../versions/text-parts.ts';
import { listOf, placeholdersOf, textIn, tryContent } from './compiled.ts';

type Trial = ReplyOf<typeof promptsTry> & { readonly of: string };

interface Filled {
  readonly values: JsonObject;
  /** The JSON texts of lists of messages, by the names of their placeholders. */
  readonly lists: Readonly<Record<string, string>>;
}

/** What of a compiled content is sent, and what is not. */
const requestOf = (content: Content, { values, lists }: Filled) => {
  const { text, messages: all = [{ role: 'user', content: text }] } = tryContent(content, values, lists);
  const messages = all.flatMap(({ role, content: said }) => {
    const known = ROLES.find((each) => each === role);
    return known !== undefined && typeof said === 'string' ? [{ role: known, content: said }] : [];
  });
  const others = all.length - messages.length;
  const { config, tools } = content;
  return {
    body: { messages, config, tools },
    notSent: [
      ...(others > 0 ? [counted(others, 'message that is not a text', 'messages that are not texts')] : []),
      ...(content.output ? ['output'] : []),
    ],
  };
};

interface RunOnModelProps extends Filled {
  /** Undefined for a new prompt. */
  prompt: Prompt | undefined;
  content: Content;
}

/** Sends a compiled content to a model, and shows the answer; on demand beside that of the version that is live. */
const RunOnModel = ({ prompt, content, values, lists }: RunOnModelProps) => {
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
          onChange={(next) => setChosen(next ?? undefined)}
        />
      )}
      {live && (
        <Checkbox
          label={`Also the live version, ${live}: a second call`}
          checked={withLive}
          onChange={(event) => setWithLive(event.currentTarget.checked)}
        />
      )}
      <Group wrap="nowrap" align="flex-start">
        <Button loading={isPending} disabled={model === ''} onClick={() => mutate()} flex="none">
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
    {failure !== undefined && <Alert p="xs">{failure}</Alert>}
    {answer && (
      <>
        <Text style={{ whiteSpace: 'pre-wrap' }}>{answer.text}</Text>
        {answer.toolCalls.map(({ name, input }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an answer never changes
          <Text key={index} className="cv-mono">
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

// In the page alone, never in storage: values may be confidential. Kept until the page is left or loaded again.
const tried = new Map<string, Filled>();

/** Fills in the variables of a content, at first its saved examples, and shows what the service would return. Nothing is sent, unless it is run on a model. */
export const TryIt = ({ promptId, content }: { promptId: string; content: Content }) => {
  // A new prompt has no id yet.
  const { data: details } = useQuery({ ...promptQuery(promptId), enabled: promptId !== '' });
  const [typed, setTyped] = useState(() => tried.get(promptId));
  const now: Filled = typed ?? { values: details?.examples?.values ?? {}, lists: {} };
  const { values, lists } = now;
  const names = variablesIn(content);
  const isEditor = useCan()('editor');
  const canRun = useSession().config.models !== undefined && isEditor;
  const set = (change: Partial<Filled>) => {
    const next = { ...now, ...change };
    // Of a new prompt, nothing identifies the values.
    if (promptId !== '') tried.set(promptId, next);
    setTyped(next);
  };
  return (
    <SimpleGrid type="container" cols={{ base: 1, '44rem': 2 }}>
      <Stack gap="sm">
        <Title order={3}>Variables</Title>
        {names.length === 0 && <Muted>This template has no variables.</Muted>}
        {names.map((name) => (
          <Field
            key={name}
            name={name}
            declaration={declared(content.variables, name)}
            value={Object.hasOwn(values, name) ? values[name] : undefined}
            onChange={(value) => {
              const { [name]: _, ...others } = values;
              set({ values: value === undefined ? others : { ...values, [name]: value } });
            }}
          />
        ))}
        {placeholdersOf(content).map(({ name, optional }) => {
          const text = textIn(lists, name);
          return (
            <JsonInput
              key={name}
              size="xs"
              label={<span className="cv-mono">{name}</span>}
              description={`A JSON array of messages${optional === true ? ', optional' : ''}.`}
              placeholder='[{"role": "user", "content": "…"}]'
              value={text}
              onChange={(next) => set({ lists: { ...lists, [name]: next } })}
              error={text.trim() !== '' && listOf(text) === undefined && 'Enter a JSON array of messages.'}
              minRows={2}
              maxRows={10}
            />
          );
        })}
        {details && (
          <Examples
            {...{ promptId, values }}
            examples={details.examples}
            onUse={(saved) => set({ values: saved })}
          />
        )}
      </Stack>
      <Stack gap="lg">
        <Result content={content} {...now} />
        {canRun && <RunOnModel prompt={details?.prompt} content={content} {...now} />}
      </Stack>
    </SimpleGrid>
  );
};

const Result = ({ content, values, lists }: Filled & { readonly content: Content }) => {
  const { text, missing, missingLists } = tryContent(content, values, lists);
  const filled = withDefaults(content.variables, values);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={3}>Compiled</Title>
        <CopyTextButton text={text} label={content.type === 'chat' ? 'the messages' : 'the text'} />
      </Group>
      {missing.length > 0 && (
        <Small c="amber" role="status">
          Without a value: {missing.join(', ')}. With <code>strict</code> the call fails.
        </Small>
      )}
      {missingLists.length > 0 && (
        <Small c="amber" role="status">
          Without messages: {missingLists.join(', ')}. The clients report <code>missing_placeholders</code>.
        </Small>
      )}
      {content.type === 'chat' ? (
        <Messages
          label="Compiled messages"
          messages={content.messages}
          values={filled}
          listFor={({ name }) => {
            const list = listOf(textIn(lists, name)) ?? [];
            return list.length === 0 ? undefined : (
              <MessageText>{list.map((each) => JSON.stringify(each)).join('\n')}</MessageText>
            );
          }}
        />
      ) : (
        <TemplateText label="Compiled text" text={content.prompt} values={filled} />
      )}
    </Stack>
  );
};

interface ExamplesProps {
  promptId: string;
  examples: PromptDetails['examples'];
  values: JsonObject;
  onUse: (values: JsonObject) => void;
}

const Examples = ({ promptId, examples, values, onUse }: ExamplesProps) => {
  const can = useCan();
  const isSame = JSON.stringify(values) === JSON.stringify(examples?.values ?? {});
  const save = async () => {
    await saveExamples(promptId, values);
    notifyDone(`The example values are ${Object.keys(values).length === 0 ? 'removed' : 'saved'}.`);
  };
  return (
    <div>
      <Group>
        {can('editor') && !isSame && (
          <ActionButton size="compact-xs" action={save}>
            Save as examples
          </ActionButton>
        )}
        {examples && !isSame && (
          <Button size="compact-xs" variant="subtle" onClick={() => onUse(examples.values)}>
            Use the saved examples
          </Button>
        )}
      </Group>
      <Small mt={4}>
        {examples && (
          <>
            Examples saved <When at={examples.savedAt} short /> by {examples.savedBy}.{' '}
          </>
        )}
        Every operator sees saved examples: do not save secrets in them.
      </Small>
    </div>
  );
};

interface FieldProps {
  name: string;
  declaration: VariableDeclaration | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
}

const Field = ({ name, declaration, value, onChange }: FieldProps) => {
  const type = declaration?.type ?? 'string';
  const text = textOf(value);
  const read = (next: string | null) => onChange(next === null ? undefined : (readValue(next, type) ?? next));
  const isOff = declaration !== undefined && value !== undefined && !fits(value, declaration);
  const common = {
    size: 'xs',
    label: <span className="cv-mono">{name}</span>,
    description: joined([declaration?.description, !declaration?.enum && type !== 'string' && type], ' · '),
    placeholder: declaration && !isRequired(declaration) ? `default: ${textOf(declaration.default)}` : '',
    error: isOff && 'Does not fit the declaration: with strict, the call fails.',
  } as const;
  const choices = type === 'boolean' ? ['true', 'false'] : declaration?.enum?.map(textOf);
  return choices === undefined ? (
    <Textarea
      {...common}
      value={text}
      onChange={(event) => read(event.currentTarget.value || null)}
      autosize
      minRows={1}
      maxRows={8}
    />
  ) : (
    <Select
      {...common}
      data={[...new Set([...choices, ...(text === '' ? [] : [text])])]}
      value={text === '' ? null : text}
      clearable
      onChange={read}
      allowDeselect
    />
  );
};
