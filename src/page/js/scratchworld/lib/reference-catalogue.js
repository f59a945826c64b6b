// @ts-check
// The blocks that the reference server numbers: 119 types in eight categories. Others are
// not shown in its pseudocode.

/** @type {Record<string, string>} types of a category without their prefix, which is the category's name */
const CATALOGUE = {
    control: 'start_as_clone repeat repeat_until forever wait wait_until if if_else stop create_clone_of delete_this_clone',
    data: 'variable setvariableto changevariableby showvariable hidevariable listcontents addtolist deleteoflist ' +
        'deletealloflist insertatlist replaceitemoflist itemoflist itemnumoflist lengthoflist listcontainsitem showlist hidelist',
    event: 'whenflagclicked whenkeypressed whenthisspriteclicked whenbackdropswitchesto whengreaterthan ' +
        'whenbroadcastreceived broadcast broadcastandwait',
    looks: 'say sayforsecs think thinkforsecs show hide switchcostumeto nextcostume switchbackdropto nextbackdrop ' +
        'changeeffectby seteffectto cleargraphiceffects changesizeby setsizeto gotofrontback goforwardbackwardlayers ' +
        'size costumenumbername backdropnumbername',
    motion: 'movesteps gotoxy goto turnright turnleft pointindirection pointtowards glidesecstoxy glideto ifonedgebounce ' +
        'setrotationstyle changexby setx changeyby sety xposition yposition direction',
    operator: 'add subtract multiply divide random mod round mathop join letter_of length lt equals gt and or not contains',
    sensing: 'resettimer setdragmode askandwait timer mousex mousey dayssince2000 current mousedown keypressed ' +
        'touchingobject touchingcolor coloristouchingcolor distanceto of loudness answer username',
    sound: 'play playuntildone stopallsounds seteffectto changeeffectby cleareffects setvolumeto changevolumeby volume'
};

/** All types with a number. */
const OPCODES = new Set(Object.entries(CATALOGUE).flatMap(([category, names]) => names.split(' ').map(name => `${category}_${name}`)));

module.exports = {OPCODES};
