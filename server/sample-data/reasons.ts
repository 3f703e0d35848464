/** Why people report what they report; some don't say. */
export const reasons: (string | null)[] = [
  'Spam',
  'This is the third time today.',
  'Threatens another member',
  'Pretends to be Ada. Look closely at the name.',
  'The link goes somewhere else than it says',
  'Rude',
  'Please remove this before the children see it',
  'My screen reader crashed on this message',
  'Es ist Werbung, und nicht zum ersten Mal.\nBitte sperren.',
  'محتوى مسيء',
  '<b>Look</b> & <script>alert(1)</script> at this',
  'Off topic',
  '',
  null,
];
