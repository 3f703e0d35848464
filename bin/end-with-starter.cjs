// Loaded first where another Node has started this process for somebody who knows of that one alone: when it ends,
// even by being killed, this one does, or it would go on unseen and keep the data in use.
process.once('disconnect', () => process.exit(1));
// What keeps this process running is what it does.
process.channel.unref();
// What it starts itself has this one to end with.
process.execArgv.splice(process.execArgv.indexOf('--require'), 2);
