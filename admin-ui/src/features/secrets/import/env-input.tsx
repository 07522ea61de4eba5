import { Button, FileButton, Group, Textarea } from '@mantine/core';
import { IconEye, IconEyeOff, IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, type Ref, useState } from 'react';
import { LIMITS } from '../../../../../contract/limits.ts';
import { Small } from '../../../components/small.tsx';
import classes from './import-secrets.module.css';

const MB = 1024 * 1024;

const EXAMPLE = `# comments are not imported
DATABASE_URL=postgres://app@db/app
export API_TOKEN="in quotes, with a # in it"`;

const readText = async (file: File): Promise<string> => {
  if (file.size > LIMITS.importBytes)
    throw new Error(`${file.name} is larger than ${LIMITS.importBytes / MB} MB.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error(`${file.name} is not a text in UTF-8.`);
  }
};

export interface EnvInputProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly ref: Ref<HTMLTextAreaElement>;
}

/** A field for a `.env` text: typed, pasted, dropped or from a file. */
export const EnvInput = ({ text, onChange, ref }: EnvInputProps) => {
  const [hidden, setHidden] = useState(false);
  const [over, setOver] = useState(false);
  const [problem, setProblem] = useState<string>();
  const take = async (file: File | null | undefined) => {
    if (!file) return;
    setProblem(undefined);
    try {
      onChange(await readText(file));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The file cannot be read.');
    }
  };
  const drop = (event: DragEvent) => {
    setOver(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button above the field also takes files
    <div
      className={classes.drop}
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Group gap="xs" mb="xs">
        <FileButton onChange={(file) => void take(file)} inputProps={{ 'aria-label': 'A .env file' }}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconFileUpload size={15} aria-hidden />}>
              Choose a file
            </Button>
          )}
        </FileButton>
        <Small>or drop it into the field</Small>
        <Button
          variant="subtle"
          color="gray"
          aria-pressed={hidden}
          onClick={() => setHidden(!hidden)}
          leftSection={hidden ? <IconEye size={15} aria-hidden /> : <IconEyeOff size={15} aria-hidden />}
        >
          {hidden ? 'Show the text' : 'Hide the text'}
        </Button>
      </Group>
      <Textarea
        ref={ref}
        aria-label="The .env text"
        placeholder={EXAMPLE}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={problem}
        rows={16}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        classNames={{ input: hidden ? `${classes.text} ${classes.hidden}` : (classes.text ?? '') }}
      />
    </div>
  );
};
