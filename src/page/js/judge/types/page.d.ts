// Certificates go by the text of what judges, comments included: named from its own room, this type's path does not change
// it when other folders move.
export type {PageFn} from '../../types/page';
