import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useOperator } from '../../../api/session-context.tsx';
import { authored } from '../../../components/prompt-content.ts';
import { QueryBoundary } from '../../../components/states.tsx';
import { When } from '../../../components/when.tsx';
import type { Draft, Version } from '../prompt-queries.ts';
import { ContentChanges } from '../versions/content-changes.tsx';
import { readStart } from './draft-start.ts';
import type { DraftWork } from './use-draft.ts';

/** A conflict of two drafts: shows the differences and asks which to keep. Nothing is lost until then. */
export const DraftConflict = ({ draft, promptId }: { draft: DraftWork; promptId: string }) => {
  const query = useQuery({
    queryKey: ['prompt-draft-conflict', promptId],
    queryFn: ({ signal }) => readStart(promptId, signal),
    gcTime: 0,
    staleTime: 0,
  });
  return (
    <Alert color="amber" mb="md" title="There is another draft" role="alert">
      <QueryBoundary query={query}>
        {({ draft: theirs, latest }) => (
          <Stack gap="sm">
            <Origin theirs={theirs} latest={latest} />
            {theirs && <Differences theirs={theirs} mine={draft.body} />}
            <Group gap="xs">
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

const Differences = ({ theirs, mine }: { theirs: Draft; mine: DraftWork['body'] }) => {
  const { note, ...content } = mine;
  return (
    <>
      <Text>What your text changes in that draft:</Text>
      <ContentChanges
        before={{ content: authored(theirs), note: theirs.note }}
        after={{ content, note }}
        labels={['the other draft', 'Your text']}
      />
    </>
  );
};

const Origin = ({ theirs, latest }: { theirs: Draft | null; latest: Version }) => {
  const { email } = useOperator();
  const isMine = (theirs?.savedBy ?? latest.publishedBy) === email;
  return (
    <Text>
      {theirs ? (
        <>
          {isMine ? 'You saved a draft in another window' : `${theirs.savedBy} saved a draft`}{' '}
          <When at={theirs.savedAt} short />.
        </>
      ) : (
        <>
          The draft was published or discarded{isMine && ' in another window'}. The latest version is{' '}
          {latest.version}, published <When at={latest.publishedAt} short /> by {latest.publishedBy}.
        </>
      )}{' '}
      Your text is still in the editor.
    </Text>
  );
};
