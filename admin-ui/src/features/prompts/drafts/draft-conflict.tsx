import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { authored } from '../../../components/prompt-content.ts';
import { QueryBoundary } from '../../../components/states.tsx';
import { When } from '../../../components/when.tsx';
import type { Draft } from '../prompt-queries.ts';
import { ContentChanges } from '../versions/content-changes.tsx';
import { readStart } from './draft-start.ts';
import type { DraftWork } from './use-draft.ts';

/** A conflict of two drafts: shows the differences and asks which to keep. Nothing is lost until then. */
export const DraftConflict = ({ draft, promptId }: { draft: DraftWork; promptId: string }) => {
  const query = useQuery({
    queryKey: ['prompt-draft-conflict', promptId],
    queryFn: async ({ signal }) => ({ theirs: (await readStart(promptId, signal)).draft }),
    gcTime: 0,
    staleTime: 0,
  });
  return (
    <Alert color="amber" mb="md" title="Someone else saved another draft" role="alert">
      <QueryBoundary query={query}>
        {({ theirs }) => (
          <Stack gap="sm">
            <Origin theirs={theirs} />
            {theirs && <Differences theirs={theirs} mine={draft.body} />}
            <Group gap="xs">
              <Button onClick={() => draft.keepMine(theirs)}>Keep mine</Button>
              {theirs && (
                <Button variant="default" onClick={() => draft.takeTheirs(theirs)}>
                  Take theirs
                </Button>
              )}
            </Group>
          </Stack>
        )}
      </QueryBoundary>
    </Alert>
  );
};

const Differences = ({ theirs, mine }: { theirs: Draft; mine: DraftWork['body'] }) => (
  <>
    <Text>What your draft changes in theirs:</Text>
    <ContentChanges before={authored(theirs)} after={mine} labels={['their draft', 'Your draft']} />
    {theirs.note !== mine.note && (
      <Group gap="sm" align="stretch" grow preventGrowOverflow={false}>
        <Note title="Their note" text={theirs.note} />
        <Note title="Your note" text={mine.note} />
      </Group>
    )}
  </>
);

const Note = ({ title, text }: { title: string; text: string }) => (
  <div>
    <Text fw={600}>{title}</Text>
    <Text className="cv-break" style={{ whiteSpace: 'pre-wrap' }}>
      {text === '' ? 'none' : text}
    </Text>
  </div>
);

const Origin = ({ theirs }: { theirs: Draft | null }) => (
  <Text>
    {theirs ? (
      <>
        {theirs.savedBy} saved a draft <When at={theirs.savedAt} short />. Yours is still in the editor.
      </>
    ) : (
      'The other draft was published or discarded. Yours is still in the editor.'
    )}
  </Text>
);
