import { Badge, Button, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { visible } from '../../../../../contract/content/visible.ts';
import { promptsFind } from '../../../../../contract/endpoints/prompts.ts';
import { call, type ReplyOf } from '../../../api/client.ts';
import { useAction } from '../../../api/use-action.ts';
import { promptPage, Row, Small, TextLink } from '../../../components/basics.tsx';
import { closeDialog, Refusal, useFields } from '../../../components/dialogs.tsx';
import { counted } from '../../../components/locale.ts';

type Source = ReplyOf<typeof promptsFind>['found'][number];

const isCertain = ({ literal, values }: Source): boolean => literal === undefined || values !== undefined;

/** What is certain first, then what has most in common. */
const bySimilarity = (a: Source, b: Source): number =>
  Number(isCertain(b)) - Number(isCertain(a)) || (b.literal ?? 0) - (a.literal ?? 0);

/** Finds the versions that a compiled text, or the content hash of a trace, comes from. */
export const FindSource = () => {
  const form = useFields({ text: '' });
  const { text } = form.values;
  const [answer, setAnswer] = useState<Pick<ReplyOf<typeof promptsFind>, 'found' | 'read'>>();
  const reading = useRef<AbortController>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  const { mutate, isPending, error } = useAction(async () => {
    const controller = new AbortController();
    reading.current = controller;
    const { signal } = controller;
    const found: Source[] = [];
    let read = 0;
    let cursor: string | undefined;
    do {
      const part = await call(promptsFind, { body: { text, cursor }, signal });
      found.push(...part.found);
      read += part.read;
      cursor = part.cursor;
      setAnswer({ found: found.toSorted(bySimilarity), read });
    } while (cursor !== undefined);
  });
  const find = (event: FormEvent) => {
    event.preventDefault();
    setAnswer(undefined);
    mutate();
  };
  return (
    <form onSubmit={find} autoComplete="off">
      <Stack gap="sm" align="stretch">
        <Textarea
          label="A compiled text, or a content hash"
          description="Such as the system prompt in a log. It is compared with the latest and labelled versions, and neither kept nor logged."
          {...form.text('text')}
          minRows={4}
          maxRows={12}
          autosize
          data-autofocus
        />
        <Button
          type="submit"
          loading={isPending}
          disabled={text.trim() === ''}
          style={{ alignSelf: 'start' }}
        >
          Find
        </Button>
        <Refusal error={error} />
        {answer && (
          <>
            <Text role="status">
              {counted(answer.found.length, 'version')} found in {counted(answer.read, 'prompt')}
              {isPending && ' so far'}
            </Text>
            <ul className="cv-list cv-rows">
              {answer.found.map((source) => (
                <SourceRow key={`${source.promptId} ${source.version}`} source={source} />
              ))}
            </ul>
          </>
        )}
      </Stack>
    </form>
  );
};

const SourceRow = ({ source }: { source: Source }) => {
  const { promptId, name, version, labels, literal, values } = source;
  return (
    <Row align="flex-start">
      <div className="cv-grow cv-break">
        <TextLink {...promptPage(promptId, name)} search={{ version }} onClick={() => closeDialog()} fw={600}>
          {name} {version}
        </TextLink>{' '}
        <Small span>{labels.join(', ')}</Small>
        {values?.map((each) => (
          <Small key={each.name}>
            {each.name} = {visible(each.value)}
          </Small>
        ))}
      </div>
      <Badge color={isCertain(source) ? 'spruce' : 'amber'} flex="none">
        {literal === undefined ? 'this content' : values ? 'reads as this' : 'similar'}
      </Badge>
    </Row>
  );
};
