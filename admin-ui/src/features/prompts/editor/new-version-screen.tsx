import { Alert, Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import type { VersionPart } from '../../../../../contract/versions.ts';
import { isRefusal, messageOfChange } from '../../../api/api-error.ts';
import { useOperator } from '../../../api/session-context.tsx';
import { PromptLink, When } from '../../../components/basics.tsx';
import { DialogContext, LeaveGuard, useDialog } from '../../../components/dialogs.tsx';
import { authored, isBlank } from '../../../components/prompt-content.ts';
import { Screen } from '../../../components/screen.tsx';
import { QueryBoundary, screenFor } from '../../../components/states.tsx';
import { beforePrompt } from '../deleted-prompts.tsx';
import { confirmDiscard } from '../drafts/discard-draft.ts';
import { type DraftWork, useDraft } from '../drafts/use-draft.ts';
import { breakingOf, useEffects } from '../impact/impact-panel.tsx';
import { CompareLink } from '../labels/label-badge.tsx';
import {
  type Draft,
  promptQuery,
  readStart,
  type Start,
  startQuery,
  type Version,
} from '../prompt-queries.ts';
import { BreakingWarning, ContentChanges } from '../versions/content-changes.tsx';
import { ContentForm, PUBLISH_KEYS, usePublishKeys } from './content-form.tsx';
import { BumpInput, PublishForm } from './publishing.tsx';

const route = getRouteApi('/prompts/$promptId/new-version');

/** The next version of a prompt, kept as a draft on the service while it is written. */
export const NewVersionScreen = screenFor('editor', 'write versions', () => {
  const { promptId } = route.useParams();
  return (
    <QueryBoundary query={useQuery(startQuery(promptId))} {...beforePrompt(promptId)}>
      {(found) => <Editor start={found} />}
    </QueryBoundary>
  );
});

const Editor = ({ start }: { start: Start }) => {
  const { prompt, latest, draft: origin } = start;
  const draft = useDraft(start);
  const [chosen, setChosen] = useState<VersionPart>();
  const [reviewing, setReviewing] = useState(false);
  const close = () => setReviewing(false);
  // What is said about the text follows it, so that typing never waits for it.
  const body = useDeferredValue(draft.body);
  const effects = useEffects(
    { changes: [{ promptId: prompt.promptId, latest: true }], content: body },
    !isBlank(body),
  );
  const part = chosen ?? effects.data?.part;
  const canReview = draft.problems.length === 0 && !isBlank(draft.body) && draft.state !== 'conflict';
  usePublishKeys(() => canReview && setReviewing(true));
  return (
    <Screen
      above={<PromptLink {...prompt} />}
      subtitle={<SaveStatus draft={draft} origin={origin} />}
      actions={
        <>
          {origin && (
            <Button variant="default" onClick={() => confirmDiscard(prompt.name, origin, draft.discard)}>
              Discard the draft
            </Button>
          )}
          <Button onClick={() => setReviewing(true)} disabled={!canReview} {...PUBLISH_KEYS}>
            Review and publish
          </Button>
        </>
      }
    >
      <Behind start={start} />
      {draft.state === 'conflict' && <DraftConflict draft={draft} promptId={prompt.promptId} />}
      <ContentForm
        promptId={prompt.promptId}
        content={draft.content}
        body={body}
        effects={effects}
        onChange={draft.change}
        beside={
          <>
            <BumpInput highest={prompt.highest} value={part} onChange={setChosen} />
            {!effects.error && (
              <BreakingWarning version={latest.version} breaking={breakingOf(effects)} part={part} />
            )}
          </>
        }
      />
      <Modal opened={reviewing} onClose={close} size="64rem" title="Review and publish">
        <DialogContext value={{ close, cancel: close }}>
          <Review {...{ start, draft }} part={chosen} onPart={setChosen} />
        </DialogContext>
      </Modal>
      <LeaveGuard when={draft.isUnsaved} save={draft.save} />
    </Screen>
  );
};

interface ReviewProps {
  start: Start;
  part: VersionPart | undefined;
  onPart: (part: VersionPart) => void;
  draft: DraftWork;
}

/** What the version changes, what goes live, and for whom; publishes it. */
const Review = ({ start, draft, ...parts }: ReviewProps) => {
  const { close } = useDialog();
  const [{ prompt }, setAgainst] = useState(start);
  const { body, flush } = draft;
  const onRefused = async (refusal: unknown) => {
    if (!isRefusal(refusal, 'changed_meanwhile', 'type_changed')) return;
    const now = await readStart(prompt.promptId);
    setAgainst(now);
    // The editor shows the problem.
    if (!draft.reconcile(now)) close();
  };
  return <PublishForm {...{ prompt, body, flush, onRefused, ...parts }} />;
};

interface SaveStatusProps {
  draft: DraftWork;
  /** The draft that was there when the editor was opened. */
  origin: Draft | null;
}

const SaveStatus = ({ draft: { state, saved, error, problems, flush }, origin }: SaveStatusProps) => (
  <span role="status">
    {state === 'idle' &&
      (origin ? (
        <>
          This is the draft that {origin.savedBy} saved <When at={origin.savedAt} short />
          {origin.baseVersion && `, based on ${origin.baseVersion}`}.
        </>
      ) : (
        'Saved as a draft while you type; colleagues see it.'
      ))}
    {(state === 'waiting' || state === 'saving') && 'Saving the draft…'}
    {state === 'saved' && saved && (
      <>
        Draft saved <When at={saved.savedAt} />
      </>
    )}
    {state === 'conflict' && 'Not saved: there is another draft.'}
    {state === 'failed' && (
      <Text span c="brick">
        Not saved: {messageOfChange(error)}{' '}
        <Anchor component="button" type="button" onClick={() => void flush().catch(() => {})}>
          Try again
        </Anchor>
      </Text>
    )}
    {problems.map((problem) => (
      <Text key={problem} span c="brick">
        {' · '}
        {problem}
      </Text>
    ))}
  </span>
);

/** Says that the prompt has changed since the text in the editor began, in this tab or elsewhere. */
const Behind = ({ start: { draft, latest, prompt } }: { start: Start }) => {
  const { promptId } = prompt;
  const now = useQuery(promptQuery(promptId)).data?.prompt ?? prompt;
  const from = draft?.baseVersion ?? latest.version;
  return (
    from !== now.latest && (
      <Alert mb="md" p="xs" role="status">
        <Text>
          {now.latest} has become the latest since:{' '}
          <CompareLink {...{ promptId, from, to: now.latest }}>see the changes</CompareLink>.
        </Text>
      </Alert>
    )
  );
};

/** A conflict of two drafts: shows the differences and asks which to keep. Nothing is lost until then. */
const DraftConflict = ({ draft, promptId }: { draft: DraftWork; promptId: string }) => {
  const query = useQuery({
    queryKey: ['prompt-draft-conflict', promptId],
    queryFn: ({ signal }) => readStart(promptId, signal),
    gcTime: 0,
    staleTime: 0,
  });
  const { email } = useOperator();
  const originOf = (theirs: Draft | null, latest: Version) => {
    const isMine = (theirs?.savedBy ?? latest.publishedBy) === email;
    if (theirs)
      return (
        <>
          {isMine ? 'You saved a draft in another window' : `${theirs.savedBy} saved a draft`}{' '}
          <When at={theirs.savedAt} short />.
        </>
      );
    return (
      <>
        The draft was published or discarded{isMine && ' in another window'}. The latest version is{' '}
        {latest.version}, published <When at={latest.publishedAt} short /> by {latest.publishedBy}.
      </>
    );
  };
  return (
    <Alert mb="md" title="There is another draft" role="alert">
      <QueryBoundary query={query}>
        {({ draft: theirs, latest }) => (
          <Stack gap="sm">
            <Text>{originOf(theirs, latest)} Your text is still in the editor.</Text>
            {theirs && <Text>What your text changes in that draft:</Text>}
            {theirs && (
              <ContentChanges before={{ ...authored(theirs), note: theirs.note }} after={draft.body} />
            )}
            <Group>
              <Button onClick={() => draft.keepMine(theirs)}>Keep mine</Button>
              {theirs && (
                <Button variant="default" onClick={() => draft.takeTheirs(theirs)}>
                  Take the other draft
                </Button>
              )}
            </Group>
          </Stack>
        )}
      </QueryBoundary>
    </Alert>
  );
};
