import { Autocomplete, Button, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { variablesIn } from '../../../../../contract/content/templates.ts';
import { declared, isRequired } from '../../../../../contract/content/variables.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { isRefusal } from '../../../api/api-error.ts';
import { useLeadOn } from '../../../api/leaving.ts';
import { useAction } from '../../../api/use-action.ts';
import { promptPage, RowButton, TextLink } from '../../../components/basics.tsx';
import { confirm, LeaveGuard, notifyDone, Refusal, useFields } from '../../../components/dialogs.tsx';
import { isBlank } from '../../../components/prompt-content.ts';
import { Screen } from '../../../components/screen.tsx';
import { QueryBoundary, screenFor } from '../../../components/states.tsx';
import { MissingPrompt } from '../deleted-prompts.tsx';
import { useEffects } from '../impact/impact-panel.tsx';
import { useLabelProblem } from '../labels/label-badge.tsx';
import { SUGGESTED } from '../labels/label-names.ts';
import { createPrompt, startQuery } from '../prompt-queries.ts';
import { ContentChanges } from '../versions/content-changes.tsx';
import { contentOf, type Edited, EMPTY, readContent } from './content.ts';
import { ContentForm, PUBLISH_KEYS, usePublishKeys } from './content-form.tsx';

const route = getRouteApi('/prompts/new');

/** A new prompt with its first version: empty, or with the latest content of another one. */
export const NewPromptScreen = screenFor('editor', 'write prompts', () => {
  const { from } = route.useSearch();
  return from === undefined ? (
    <NewPrompt key="" named="" initial={EMPTY} />
  ) : (
    <Copy key={from} promptId={from} />
  );
});

const Copy = ({ promptId }: { promptId: string }) => (
  <QueryBoundary
    query={useQuery(startQuery(promptId))}
    frame={{}}
    missing={<MissingPrompt promptId={promptId} />}
  >
    {({ prompt, latest }) => (
      <NewPrompt named={`${prompt.name}-copy`} initial={{ ...contentOf(latest), note: '' }} />
    )}
  </QueryBoundary>
);

const NewPrompt = ({ named, initial }: { named: string; initial: Edited }) => {
  const leadOn = useLeadOn();
  const problemOf = useLabelProblem();
  // No label in advance: what it serves is live.
  const form = useFields({ name: named, label: '', content: initial });
  const { content } = form.values;
  const name = form.values.name.trim();
  const live = form.values.label.trim();
  const [isDone, setIsDone] = useState(false);
  const { body, problems } = readContent(content);
  const effects = useEffects({ changes: [], content: body }, !isBlank(body));
  const create = async (overDeleted?: true) => {
    const { prompt } = await createPrompt({ name, ...body, label: live || undefined, overDeleted });
    setIsDone(true);
    notifyDone(`${prompt.name} ${prompt.latest} is published.`);
    await leadOn({ ...promptPage(prompt.promptId), ignoreBlocker: true });
  };
  const { mutate, isPending, error } = useAction(() => create());
  const isRestorable = isRefusal(error, 'restorable');
  const canCreate =
    name !== '' &&
    !isBlank(body) &&
    effects.problem === undefined &&
    !effects.isOld &&
    problems.length === 0 &&
    problemOf(live) === undefined;
  const review = () => {
    if (live === '') return mutate();
    const needed = variablesIn(body).filter((each) => isRequired(declared(body.variables, each)));
    confirm({
      title: 'Review and publish',
      verb: `Publish and point ${live} to it`,
      // The screen shows what is wrong.
      action: async () => mutate(),
      text: (
        <>
          The first version of <strong>{name}</strong> goes live: callers that ask for {live}, or for no
          label, get it on the next fetch
          {needed.length > 0 && ` and must send a value for ${needed.join(', ')}`}.
        </>
      ),
      children: <ContentChanges before={{ prompt: '' }} after={body} />,
    });
  };
  usePublishKeys(() => canCreate && !isPending && review());
  return (
    <Screen
      actions={
        <Button onClick={review} loading={isPending} disabled={!canCreate} {...PUBLISH_KEYS}>
          {live === '' ? 'Create and publish' : 'Review and publish'}
        </Button>
      }
    >
      <Refusal error={error} mb="md">
        {isRestorable && (
          <Group mt="xs">
            <TextLink to="/prompts/deleted">Restore it</TextLink>
            <RowButton
              onClick={() =>
                confirm({
                  title: `Create ${name}`,
                  verb: 'Create anyway',
                  action: () => create(true),
                  text: 'The deleted prompt of this name, with all its versions, can then no longer be restored.',
                })
              }
            >
              Create anyway
            </RowButton>
          </Group>
        )}
      </Refusal>
      <ContentForm
        promptId=""
        content={content}
        body={body}
        effects={effects}
        onChange={form.field('content').onChange}
        above={
          <TextInput
            label="Name"
            description="Applications fetch the prompt by it, so it is fixed from now on. Leading and trailing spaces are removed."
            {...form.text('name')}
            maxLength={LIMITS.promptNameBytes}
            autoComplete="off"
            spellCheck={false}
            required
            autoFocus
          />
        }
        beside={
          <Autocomplete
            label="Label"
            description="Points to the first version. Applications that ask for it follow the version that you choose later; without one, every publish reaches them at once."
            data={SUGGESTED}
            {...form.field('label')}
            placeholder="none"
            error={problemOf(live)}
          />
        }
      />
      <LeaveGuard when={!isDone && form.isChanged} />
    </Screen>
  );
};
