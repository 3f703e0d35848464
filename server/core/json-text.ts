import { readJson } from '../../shared/read-json.ts';

/** JSON that is written already, such as content that is kept so: `jsonInTurns` puts it where it stands. */
export class JsonText {
  /** One behind the other. */
  readonly pieces: readonly string[];

  constructor(pieces: readonly string[]) {
    this.pieces = pieces;
  }

  get text(): string {
    return this.pieces.join('');
  }

  /** What it says, for whoever writes it in another way. */
  toJSON(): unknown {
    return readJson(this.text);
  }
}
